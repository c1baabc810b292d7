// Transpose without padding: the column index of the tile is
// mixed with the row (xor), so columns spread over all banks.
// 32 x 32 threads a block; rows and cols are multiples of 32.
__global__ void transpose_swizzle(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx;      // column of in
    int y = blockIdx.y * 32 + ty;      // row of in
    tile[ty][tx ^ ty] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;          // column of out
    y = blockIdx.x * 32 + ty;          // row of out
    out[y * rows + x] = tile[tx][ty ^ tx];
}
