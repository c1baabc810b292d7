// A barrier that only half of the block reaches: forbidden, and on a real GPU it may hang.
#ifndef BLOCK
#define BLOCK 64
#endif

__global__ void barrier_in_if(const float *in, float *out) {
    __shared__ float tile[BLOCK];
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * BLOCK + t];
    if (t < BLOCK / 2) {
        __syncthreads();
        out[blockIdx.x * BLOCK / 2 + t] = tile[t] + tile[t + BLOCK / 2];
    }
}
