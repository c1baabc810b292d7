// C = A B for matrices of any size: A is rows x inner, B inner x cols, C rows x cols.
// 16 x 16 threads a block, one block for each tile of C, also where the tile stands over the edge.
__global__ void multiply(const float *A, const float *B, float *C,
                         int rows, int cols, int inner) {
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
//@ starter
    // Your code: at the edge this kernel leaves its arrays and drops the last products.
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = A[row * inner + ka];
        Bs[ty][tx] = B[kb * cols + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    C[row * cols + col] = sum;
//@ solution
    float sum = 0.0f;
    for (int ph = 0; ph < (inner + 15) / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = row < rows && ka < inner ? A[row * inner + ka] : 0.0f;
        Bs[ty][tx] = kb < inner && col < cols ? B[kb * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong phases-rounded-down: results
    float sum = 0.0f;
    for (int ph = 0; ph < inner / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = row < rows && ka < inner ? A[row * inner + ka] : 0.0f;
        Bs[ty][tx] = kb < inner && col < cols ? B[kb * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong no-zeros: reports
    float sum = 0.0f;
    for (int ph = 0; ph < (inner + 15) / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        if (row < rows && ka < inner) {
            As[ty][tx] = A[row * inner + ka];
        }
        if (kb < inner && col < cols) {
            Bs[ty][tx] = B[kb * cols + col];
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong early-return: reports
    if (row >= rows || col >= cols) {
        return;
    }
    float sum = 0.0f;
    for (int ph = 0; ph < (inner + 15) / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = row < rows && ka < inner ? A[row * inner + ka] : 0.0f;
        Bs[ty][tx] = kb < inner && col < cols ? B[kb * cols + col] : 0.0f;
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
    float sum = 0.0f;
    for (int ph = 0; ph < (inner + 15) / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = row < rows && ka < inner ? A[row * inner + ka] : 0.0f;
        Bs[ty][tx] = kb < inner && col < cols ? B[kb * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong guards-output-only: runs
    float sum = 0.0f;
    for (int ph = 0; ph < (inner + 15) / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = A[row * inner + ka];
        Bs[ty][tx] = B[kb * cols + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ wrong edges-swapped: runs
    float sum = 0.0f;
    for (int ph = 0; ph < (inner + 15) / 16; ph++) {
        int ka = ph * 16 + tx;                 // column of A
        int kb = ph * 16 + ty;                 // row of B
        As[ty][tx] = row < cols && ka < inner ? A[row * inner + ka] : 0.0f;
        Bs[ty][tx] = kb < inner && col < rows ? B[kb * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        C[row * cols + col] = sum;
    }
//@ end
}
