// Dot product of half-precision numbers by one thread a
// pair of rows, summed in ACCUMULATOR (float or half).
#include <cuda_fp16.h>
#ifndef ACCUMULATOR
#define ACCUMULATOR float
#endif

__global__ void half_dot(const half *a, const half *b, float *out, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ACCUMULATOR sum = 0.0f;
        for (int j = 0; j < k; j++) {
            sum = (ACCUMULATOR)((float)sum + (float)a[i * k + j] * (float)b[i * k + j]);
        }
        out[i] = (float)sum;
    }
}
