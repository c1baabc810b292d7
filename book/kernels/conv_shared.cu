// Average of WINDOW neighbours: the block fetches its
// BLOCK + WINDOW - 1 inputs once and shares them.
#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef BLOCK
#define BLOCK 128
#endif

__global__ void conv_shared(const float *in, float *out) {
    __shared__ float support[BLOCK + WINDOW - 1];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    support[t] = in[i];
    if (t < WINDOW - 1) {                      // the halo: elements of the next block
        support[BLOCK + t] = in[i + BLOCK];
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++) {
        sum += support[t + k];
    }
    out[i] = sum * (1.0f / WINDOW);
}
