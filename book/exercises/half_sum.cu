#include <cuda_fp16.h>
// out[t] = in[t] + in[t + threads] + ..., n terms; all halves.
__global__ void half_sum(const half *in, float *out, int n, int threads) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < threads) {
//@ starter
        half sum = (half)0.0f;                       // your code: a better accumulator
        for (int k = 0; k < n; k++) {
            sum = (half)((float)sum + (float)in[k * threads + t]);
        }
//@ solution
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum += (float)in[k * threads + t];
        }
//@ wrong rounded-last: results
        half sum = (half)0.0f;
        for (int k = 0; k < n; k++) {
            sum = sum + in[k * threads + t];
        }
//@ wrong by-rows: results
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum += (float)in[t * n + k];
        }
//@ end
        out[t] = (float)sum;
    }
}
