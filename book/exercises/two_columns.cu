// C = A B; a thread computes columns col and col + 1 of one row of C.
// The grid has a thread for every two columns. N need not be even.
__global__ void multiply(const float *A, const float *B, float *C, int N) {
    int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
//@ starter
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
    // Your code: column col + 1, without reading A again.
//@ solution
    if (row < N && col < N) {
        bool both = col + 1 < N;
        float left = 0.0f, right = 0.0f;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            left += a * B[k * N + col];
            if (both) right += a * B[k * N + col + 1];
        }
        C[row * N + col] = left;
        if (both) C[row * N + col + 1] = right;
    }
//@ wrong no-guard: runs
    if (row < N && col < N) {
        float left = 0.0f, right = 0.0f;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            left += a * B[k * N + col];
            right += a * B[k * N + col + 1];
        }
        C[row * N + col] = left;
        C[row * N + col + 1] = right;
    }
//@ wrong twice: global_load_requests
    for (int c = col; c < col + 2; c++) {
        if (row < N && c < N) {
            float sum = 0.0f;
            for (int k = 0; k < N; k++) {
                sum += A[row * N + k] * B[k * N + c];
            }
            C[row * N + c] = sum;
        }
    }
//@ wrong last-lost: results
    if (row < N && col + 1 < N) {
        float left = 0.0f, right = 0.0f;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            left += a * B[k * N + col];
            right += a * B[k * N + col + 1];
        }
        C[row * N + col] = left;
        C[row * N + col + 1] = right;
    }
//@ end
}
