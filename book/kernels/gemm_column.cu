// C = A B for column-major matrices: element (row, col) of a
// matrix with leading dimension ld lies at row + col * ld.
__global__ void gemm_column(int m, int n, int k, const float *A, int lda,
                            const float *B, int ldb, float *C, int ldc) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) {
            sum += A[row + i * lda] * B[i + col * ldb];
        }
        C[row + col * ldc] = sum;
    }
}
