// C = A B^T. A holds rows x inner floats, B cols x inner; C is rows x cols.
// 16 x 16 threads a block; inner is a multiple of 16, rows and cols need not be.
__global__ void multiply(const float *A, const float *B, float *C,
                         int rows, int cols, int inner) {
//@ starter
    // Your code: fetch tiles of A and B along their rows; multiply from the tiles.
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int k = 0; k < inner; k++) {
            sum += A[row * inner + k] * B[col * inner + k];
        }
        C[row * cols + col] = sum;
    }
//@ solution
    __shared__ float As[16][16];
    __shared__ float Bs[16][17];               // a row of B is read down a column: 17 spreads the banks
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    int other = blockIdx.x * 16 + ty;          // the row of B that this thread fetches
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        As[ty][tx] = row < rows ? A[row * inner + ph * 16 + tx] : 0.0f;
        Bs[ty][tx] = other < cols ? B[other * inner + ph * 16 + tx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[tx][k];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong no-padding: shared_load_excess
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    int other = blockIdx.x * 16 + ty;
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        As[ty][tx] = row < rows ? A[row * inner + ph * 16 + tx] : 0.0f;
        Bs[ty][tx] = other < cols ? B[other * inner + ph * 16 + tx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[tx][k];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong fetched-down-columns: global_load_sectors_per_request
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        As[ty][tx] = row < rows ? A[row * inner + ph * 16 + tx] : 0.0f;
        Bs[ty][tx] = col < cols ? B[col * inner + ph * 16 + ty] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong one-barrier: reports
    __shared__ float As[16][16];
    __shared__ float Bs[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    int other = blockIdx.x * 16 + ty;
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        As[ty][tx] = row < rows ? A[row * inner + ph * 16 + tx] : 0.0f;
        Bs[ty][tx] = other < cols ? B[other * inner + ph * 16 + tx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[tx][k];
        }
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong wrong-row-of-b: results
    __shared__ float As[16][16];
    __shared__ float Bs[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    int other = blockIdx.y * 16 + ty;
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        As[ty][tx] = row < rows ? A[row * inner + ph * 16 + tx] : 0.0f;
        Bs[ty][tx] = other < cols ? B[other * inner + ph * 16 + tx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[tx][k];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ end
}
