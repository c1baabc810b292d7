// Sum of 2 BLOCK numbers a block: the first addition
// happens on the way in, the last warp works in registers.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void reduce_v4(const float *in, float *out) {
    __shared__ float sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (2 * blockDim.x) + tid;
    sdata[tid] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid < 32) {
        float v = sdata[tid] + sdata[tid + 32];
        for (int d = 16; d > 0; d /= 2) {
            v += __shfl_down_sync(0xffffffff, v, d);
        }
        if (tid == 0) {
            out[blockIdx.x] = v;
        }
    }
}
