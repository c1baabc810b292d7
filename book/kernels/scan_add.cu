// The last of three kernels of a scan: each block of 4 BLOCK numbers adds
// the sum of all blocks before it. sums holds the running sums of the blocks' totals.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void scan_add(float *out, const float *sums) {
    int i = (blockIdx.x + 1) * BLOCK + threadIdx.x;    // block 0 of the numbers needs nothing
    float base = sums[blockIdx.x];
    float4 v = ((const float4 *)out)[i];
    ((float4 *)out)[i] = make_float4(base + v.x, base + v.y, base + v.z, base + v.w);
}
