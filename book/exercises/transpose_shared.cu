// Transpose of any size: out[x][y] = in[y][x], 32 x 8 threads a block, a tile of 32 x 32 elements.
__global__ void transpose(const float *in, float *out, int rows, int cols) {
//@ starter
    // Loads run along rows, stores run down columns: 32 sectors a store. Your code: go through a tile.
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            out[x * rows + y] = in[y * cols + x];
        }
    }
//@ solution
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            tile[j][threadIdx.x] = in[y * cols + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.x * 32 + j;
        if (x < rows && y < cols) {
            out[y * rows + x] = tile[threadIdx.x][j];
        }
    }
//@ wrong no-padding: shared_excess
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            tile[j][threadIdx.x] = in[y * cols + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.x * 32 + j;
        if (x < rows && y < cols) {
            out[y * rows + x] = tile[threadIdx.x][j];
        }
    }
//@ wrong no-barrier: reports
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            tile[j][threadIdx.x] = in[y * cols + x];
        }
    }
    x = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.x * 32 + j;
        if (x < rows && y < cols) {
            out[y * rows + x] = tile[threadIdx.x][j];
        }
    }
//@ wrong guards-not-swapped: results
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            tile[j][threadIdx.x] = in[y * cols + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.x * 32 + j;
        if (x < cols && y < rows) {
            out[y * rows + x] = tile[threadIdx.x][j];
        }
    }
//@ wrong tile-for-show: global_store_sectors_per_request
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            tile[j][threadIdx.x] = in[y * cols + x];
            out[x * rows + y] = tile[j][threadIdx.x];
        }
    }
//@ end
}
