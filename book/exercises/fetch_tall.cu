// Copies strips of 64 rows and 8 columns of a rows x cols matrix to shared memory, transposed, and
// writes them out: out is cols x rows. 128 threads a block, cols / 8 blocks in x; cols is a multiple of 8.
#define ROWS 64
#define COLS 8

__global__ void fetch_tall(const float *in, float *out, int rows, int cols) {
//@ starter
    // Your code: another order of fetching, and a strip that suits it.
    __shared__ float strip[COLS][ROWS];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e % ROWS;
        int x = e / ROWS;
        if (top + y < rows) {
            strip[x][y] = in[(top + y) * cols + left + x];
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        if (top + y < rows) {
            out[(left + x) * rows + top + y] = strip[x][y];
        }
    }
//@ solution
    __shared__ float strip[COLS][ROWS + 4];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e / COLS;                      // neighbours fetch along a row
        int x = e % COLS;
        if (top + y < rows) {
            strip[x][y] = in[(top + y) * cols + left + x];
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        if (top + y < rows) {
            out[(left + x) * rows + top + y] = strip[x][y];
        }
    }
//@ wrong no-padding: shared_excess
    __shared__ float strip[COLS][ROWS];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e / COLS;                      // neighbours fetch along a row
        int x = e % COLS;
        if (top + y < rows) {
            strip[x][y] = in[(top + y) * cols + left + x];
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        if (top + y < rows) {
            out[(left + x) * rows + top + y] = strip[x][y];
        }
    }
//@ wrong padding-of-one: shared_excess
    __shared__ float strip[COLS][ROWS + 1];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e / COLS;                      // neighbours fetch along a row
        int x = e % COLS;
        if (top + y < rows) {
            strip[x][y] = in[(top + y) * cols + left + x];
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        if (top + y < rows) {
            out[(left + x) * rows + top + y] = strip[x][y];
        }
    }
//@ wrong still-down-columns: global_load_sectors_per_request
    __shared__ float strip[COLS][ROWS + 4];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e % ROWS;
        int x = e / ROWS;
        if (top + y < rows) {
            strip[x][y] = in[(top + y) * cols + left + x];
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        if (top + y < rows) {
            out[(left + x) * rows + top + y] = strip[x][y];
        }
    }
//@ wrong no-barrier: reports
    __shared__ float strip[COLS][ROWS + 4];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e / COLS;                      // neighbours fetch along a row
        int x = e % COLS;
        if (top + y < rows) {
            strip[x][y] = in[(top + y) * cols + left + x];
        }
    }
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        if (top + y < rows) {
            out[(left + x) * rows + top + y] = strip[x][y];
        }
    }
//@ wrong no-guard: runs
    __shared__ float strip[COLS][ROWS + 4];
    int top = blockIdx.y * ROWS;
    int left = blockIdx.x * COLS;
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int y = e / COLS;                      // neighbours fetch along a row
        int x = e % COLS;
        strip[x][y] = in[(top + y) * cols + left + x];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < ROWS * COLS; e += blockDim.x) {
        int x = e / ROWS;
        int y = e % ROWS;
        out[(left + x) * rows + top + y] = strip[x][y];
    }
//@ end
}
