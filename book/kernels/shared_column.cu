// A block fills a tile of 32 rows of WIDTH words by
// rows and reads it by columns; blockDim is (32, 32).
#ifndef WIDTH
#define WIDTH 32
#endif

__global__ void shared_column(const float *in, float *out) {
    __shared__ float tile[32][WIDTH];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int i = blockIdx.x * 1024 + ty * 32 + tx;
    tile[ty][tx] = in[i];
    __syncthreads();
    out[i] = tile[tx][ty];
}
