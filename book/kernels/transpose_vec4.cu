// Transpose with float4 on every side: a thread reads 4 x 4 elements, turns them in its
// registers and puts them into a tile of 64 x 64, whose rows the block then writes.
// The tile's columns of float4 are mixed with the row (xor): no bank conflicts.
// 16 x 16 threads a block; rows and cols are multiples of 64.
__global__ void transpose_vec4(const float *in, float *out, int rows, int cols) {
    __shared__ float4 tile[64][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 64 + 4 * tx;    // first column of in
    int y = blockIdx.y * 64 + 4 * ty;    // first row of in
    float4 a = *(const float4 *)&in[y * cols + x];
    float4 b = *(const float4 *)&in[(y + 1) * cols + x];
    float4 c = *(const float4 *)&in[(y + 2) * cols + x];
    float4 d = *(const float4 *)&in[(y + 3) * cols + x];
    tile[4 * tx][ty ^ tx] = make_float4(a.x, b.x, c.x, d.x);
    tile[4 * tx + 1][ty ^ tx] = make_float4(a.y, b.y, c.y, d.y);
    tile[4 * tx + 2][ty ^ tx] = make_float4(a.z, b.z, c.z, d.z);
    tile[4 * tx + 3][ty ^ tx] = make_float4(a.w, b.w, c.w, d.w);
    __syncthreads();
    x = blockIdx.y * 64 + 4 * tx;        // first column of out
    y = blockIdx.x * 64 + ty;            // row of out
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
        *(float4 *)&out[(y + k) * rows + x] = tile[ty + k][tx ^ ((ty + k) / 4)];
    }
}
