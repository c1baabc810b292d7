// Four cases; runs of `run` neighbouring threads take the
// same one (1: every warp meets all four, 32: one each).
#ifndef OPS
#define OPS 8
#endif

__global__ void diverge_switch(const float *in, float *out, int n, int run) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        switch (i / run % 4) {
        case 0:
            for (int k = 0; k < OPS; k++) {
                x = 0.9f * x + 0.1f;
            }
            break;
        case 1:
            for (int k = 0; k < OPS; k++) {
                x = x * x + 0.2f;
            }
            break;
        case 2:
            for (int k = 0; k < OPS; k++) {
                x = 0.3f - 0.8f * x;
            }
            break;
        default:
            for (int k = 0; k < OPS; k++) {
                x = x * 0.5f + 0.4f;
            }
            break;
        }
        out[i] = x;
    }
}
