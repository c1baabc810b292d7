// Sum of BLOCK numbers a block, sequential addressing:
// active threads and their words are both packed together.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void reduce_v3(const float *in, float *out) {
    __shared__ float sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = sdata[0];
    }
}
