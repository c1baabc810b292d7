// transpose_tile for any number of rows and columns:
// guards around the accesses, never around the barrier.
#ifndef TILE
#define TILE 32
#endif
#ifndef PAD
#define PAD 1
#endif

__global__ void transpose_guarded(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + PAD];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx;    // column of in
    int y = blockIdx.y * TILE + ty;    // row of in
    if (x < cols && y < rows) {
        tile[ty][tx] = in[y * cols + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + tx;        // column of out
    y = blockIdx.x * TILE + ty;        // row of out
    if (x < rows && y < cols) {
        out[y * rows + x] = tile[tx][ty];
    }
}
