// reduce_v3 with its barriers behind switches: 1 keeps a barrier, 0 takes it out.
#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef LOAD_BARRIER
#define LOAD_BARRIER 1
#endif
#ifndef ROUND_BARRIER
#define ROUND_BARRIER 1
#endif

__global__ void reduce_barriers(const float *in, float *out) {
    __shared__ float sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + tid];
    if (LOAD_BARRIER) {
        __syncthreads();
    }
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        if (ROUND_BARRIER) {
            __syncthreads();
        }
    }
    if (tid == 0) {
        out[blockIdx.x] = sdata[0];
    }
}
