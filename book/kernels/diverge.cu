// Positive numbers take THEN_OPS steps, the others
// ELSE_OPS; a warp that disagrees pays for both.
#ifndef THEN_OPS
#define THEN_OPS 1
#endif
#ifndef ELSE_OPS
#define ELSE_OPS 16
#endif

__global__ void diverge(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        if (x > 0.0f) {
            for (int k = 0; k < THEN_OPS; k++) {
                x = 2.0f * x;
            }
        } else {
            for (int k = 0; k < ELSE_OPS; k++) {
                x = 0.9f * x + 0.1f;
            }
        }
        out[i] = x;
    }
}
