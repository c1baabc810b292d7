// Transpose with the roles swapped: a warp reads down a column and writes along a row.
__global__ void transpose_swapped(const float *in, float *out, int rows, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;    // column of out
    int y = blockIdx.y * blockDim.y + threadIdx.y;    // row of out
    if (x < rows && y < cols) {
        out[y * rows + x] = in[x * cols + y];
    }
}
