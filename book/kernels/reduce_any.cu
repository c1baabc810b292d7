// reduce_v3 for any n: threads beyond the end bring a zero.
// Launch it again on its own output until one number is left.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void reduce_any(const float *in, float *out, int n) {
    __shared__ float sdata[BLOCK];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK + tid;
    sdata[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = sdata[0];
    }
}
