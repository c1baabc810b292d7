// conv_shared with its barrier forgotten: a warp reads
// words that another warp may not have written yet.
#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef BLOCK
#define BLOCK 128
#endif

__global__ void conv_no_barrier(const float *in, float *out) {
    __shared__ float support[BLOCK + WINDOW - 1];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    support[t] = in[i];
    if (t < WINDOW - 1) {
        support[BLOCK + t] = in[i + BLOCK];
    }
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++) {
        sum += support[t + k];
    }
    out[i] = sum * (1.0f / WINDOW);
}
