// Transpose through shared memory; the tile is written by rows and read by columns.
// TILE x TILE threads a block; rows and cols are multiples of TILE.
// PAD words lengthen each row of the tile.
#ifndef TILE
#define TILE 32
#endif
#ifndef PAD
#define PAD 0
#endif

__global__ void transpose_tile(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + PAD];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx;    // column of in
    int y = blockIdx.y * TILE + ty;    // row of in
    tile[ty][tx] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + tx;        // column of out
    y = blockIdx.x * TILE + ty;        // row of out
    out[y * rows + x] = tile[tx][ty];
}
