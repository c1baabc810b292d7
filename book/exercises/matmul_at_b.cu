// C = A^T B. A holds inner rows of rows floats, B inner rows of cols.
// The grid has room for both mappings.
__global__ void multiply(const float *A, const float *B, float *C,
                         int inner, int rows, int cols) {
//@ starter
    // Your code: which of the two should threadIdx.x drive?
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
//@ solution
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
//@ wrong names-swapped: results
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
//@ wrong blocks-swapped: global_store_sectors_per_request
    int row = blockIdx.y * blockDim.x + threadIdx.x;
    int col = blockIdx.x * blockDim.y + threadIdx.y;
//@ wrong one-lane: warp_instructions
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
//@ end
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int k = 0; k < inner; k++) {
            sum += A[k * rows + row] * B[k * cols + col];
        }
//@ starter
        C[row * cols + col] = sum;
//@ solution
        C[row * cols + col] = sum;
//@ wrong names-swapped: results
        C[col * rows + row] = sum;
//@ wrong blocks-swapped: global_store_sectors_per_request
        C[row * cols + col] = sum;
//@ wrong one-lane: warp_instructions
        for (int lane = 0; lane < 32; lane++) {
            if (threadIdx.x == lane) {
                C[row * cols + col] = sum;
            }
        }
//@ end
    }
}
