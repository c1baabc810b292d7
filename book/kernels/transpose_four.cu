// Transpose with 32 x 8 threads and a tile of 32 x 32: four elements a thread,
// all four loads first, so that they are in flight at once.
// The columns of the tile are mixed with the row (xor) instead of padded.
// rows and cols are multiples of 32.
__global__ void transpose_four(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx;      // column of in
    int y = blockIdx.y * 32 + ty;      // row of in
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = in[(y + 8 * k) * cols + x];
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        tile[ty + 8 * k][tx ^ (ty + 8 * k)] = v[k];
    }
    __syncthreads();
    x = blockIdx.y * 32 + tx;          // column of out
    y = blockIdx.x * 32 + ty;          // row of out
#pragma unroll
    for (int k = 0; k < 4; k++) {
        out[(y + 8 * k) * rows + x] = tile[tx][(ty + 8 * k) ^ tx];
    }
}
