// CHAINS independent multiply-add chains a thread:
// nothing but arithmetic, to find the peak rate.
#ifndef CHAINS
#define CHAINS 8
#endif

__global__ void fma_peak(float *out, float a, float b, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++) {
        x[c] = i + c;
    }
    for (int k = 0; k < steps; k++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            x[c] = x[c] * a + b;
        }
    }
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < CHAINS; c++) {
        sum += x[c];
    }
    out[i] = sum;
}
