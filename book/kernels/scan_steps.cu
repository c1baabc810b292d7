// The running sums of BLOCK numbers, a block each: in every round a number adds the one d places
// before it, and d doubles. log2(BLOCK) rounds, and BLOCK log2(BLOCK) additions instead of BLOCK - 1.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void scan_steps(const float *in, float *out) {
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    s[tid] = in[blockIdx.x * BLOCK + tid];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        float before = tid >= d ? s[tid - d] : 0.0f;
        __syncthreads();                   // all have read before anyone writes
        s[tid] += before;
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + tid] = s[tid];
}
