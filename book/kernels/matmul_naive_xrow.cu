// C = A B, one element of C a thread; neighbouring
// threads (threadIdx.x) compute neighbouring rows.
__global__ void matmul_naive_xrow(const float *A, const float *B, float *C, int N) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}
