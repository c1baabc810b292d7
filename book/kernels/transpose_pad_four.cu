// Transpose with 32 x 8 threads and a tile of 32 x 32: four elements a thread,
// one row of the tile longer by PAD words. rows and cols are multiples of 32.
#ifndef PAD
#define PAD 1
#endif

__global__ void transpose_pad_four(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[32][32 + PAD];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx;      // column of in
    int y = blockIdx.y * 32 + ty;      // row of in
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        tile[ty + k][tx] = in[(y + k) * cols + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + tx;          // column of out
    y = blockIdx.x * 32 + ty;          // row of out
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        out[(y + k) * rows + x] = tile[tx][ty + k];
    }
}
