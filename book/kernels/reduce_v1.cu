// Sum of BLOCK numbers a block, interleaved addressing:
// the active threads are spread over every warp.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void reduce_v1(const float *in, float *out) {
    __shared__ float sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = sdata[0];
    }
}
