// The running sums inside each block, and each block's total: four numbers a thread in registers,
// then the warp by shuffles, then the totals of the warps.
// in holds 4 BLOCK numbers for each block.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void scan_blocks(const float *in, float *out, float *totals) {
    __shared__ float of_warps[BLOCK / 32];
    int tid = threadIdx.x;
    int lane = tid % 32;
    int i = blockIdx.x * BLOCK + tid;
    float4 v = ((const float4 *)in)[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    float sum = v.w;                       // the thread's; soon that of all lanes up to it
    for (int d = 1; d < 32; d *= 2) {
        float before = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) {
            sum += before;
        }
    }
    if (lane == 31) {
        of_warps[tid / 32] = sum;
    }
    __syncthreads();
    float base = sum - v.w;                // all numbers of the warp before this thread's
    for (int w = 0; w < tid / 32; w++) {
        base += of_warps[w];
    }
    ((float4 *)out)[i] = make_float4(base + v.x, base + v.y, base + v.z, base + v.w);
    if (tid == BLOCK - 1) {
        totals[blockIdx.x] = base + v.w;
    }
}
