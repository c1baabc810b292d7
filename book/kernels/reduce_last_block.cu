// The whole sum in one launch: ITEMS float4 a thread, all loads first; then a tree over the warp
// and the block; the block that finishes last adds the blocks' sums up.
// in holds 4 ITEMS BLOCK numbers for each block; partial one for each block; done[0] starts at 0,
// and does so again after the launch.
#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef ITEMS
#define ITEMS 16
#endif

__device__ float block_sum(float v, float *of_warps) {
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffff, v, d);
    }
    if (threadIdx.x % 32 == 0) {
        of_warps[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < BLOCK / 32 ? of_warps[threadIdx.x] : 0.0f;
        for (int d = 16; d > 0; d /= 2) {
            v += __shfl_down_sync(0xffffffff, v, d);
        }
    }
    return v;                              // thread 0 has the sum
}

__global__ void reduce_last_block(const float *in, float *out, float *partial, unsigned int *done) {
    __shared__ float of_warps[32];
    __shared__ bool last;
    int tid = threadIdx.x;
    const float4 *from = (const float4 *)in + blockIdx.x * (BLOCK * ITEMS);
    float4 v[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        v[k] = from[k * BLOCK + tid];
    }
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    sum = block_sum(sum, of_warps);
    if (tid == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();                   // the sum is there before the block says so
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();                   // what the others wrote is read after that
        sum = 0.0f;
        for (int i = tid; i < gridDim.x; i += BLOCK) {
            sum += partial[i];
        }
        sum = block_sum(sum, of_warps);
        if (tid == 0) {
            out[0] = sum;
        }
    }
}
