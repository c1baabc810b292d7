// C = A B for N x N matrices, N a multiple of 16. 16 x 16 threads a block, N / 16 blocks in x,
// and in y one block for four tiles of C below each other; the last block may have fewer.
__global__ void multiply(const float *A, const float *B, float *C, int N) {
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 16 + tx;
//@ starter
    // Your code: this computes the four tiles one after another, and fetches B anew for each.
    for (int tile = blockIdx.y * 4; tile < blockIdx.y * 4 + 4; tile++) {
        if (tile * 16 < N) {
            int row = tile * 16 + ty;
            float sum = 0.0f;
            for (int ph = 0; ph < N / 16; ph++) {
                As[ty][tx] = A[row * N + ph * 16 + tx];
                Bs[ty][tx] = B[(ph * 16 + ty) * N + col];
                __syncthreads();
                for (int k = 0; k < 16; k++) {
                    sum += As[ty][k] * Bs[k][tx];
                }
                __syncthreads();
            }
            C[row * N + col] = sum;
        }
    }
//@ solution
    int row = blockIdx.y * 64 + ty;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int ph = 0; ph < N / 16; ph++) {
        Bs[ty][tx] = B[(ph * 16 + ty) * N + col];      // once for four tiles of A
        for (int c = 0; c < 4; c++) {
            if (row + c * 16 < N) {                // the same for the whole block
                As[ty][tx] = A[(row + c * 16) * N + ph * 16 + tx];
            }
            __syncthreads();
            for (int k = 0; k < 16; k++) {
                sum[c] += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
    }
    for (int c = 0; c < 4; c++) {
        if (row + c * 16 < N) {
            C[(row + c * 16) * N + col] = sum[c];
        }
    }
//@ wrong fetches-b-each-time: global_load_bytes
    int row = blockIdx.y * 64 + ty;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int ph = 0; ph < N / 16; ph++) {
        for (int c = 0; c < 4; c++) {
            Bs[ty][tx] = B[(ph * 16 + ty) * N + col];
            if (row + c * 16 < N) {                // the same for the whole block
                As[ty][tx] = A[(row + c * 16) * N + ph * 16 + tx];
            }
            __syncthreads();
            for (int k = 0; k < 16; k++) {
                sum[c] += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
    }
    for (int c = 0; c < 4; c++) {
        if (row + c * 16 < N) {
            C[(row + c * 16) * N + col] = sum[c];
        }
    }
//@ wrong no-guard: runs
    int row = blockIdx.y * 64 + ty;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int ph = 0; ph < N / 16; ph++) {
        Bs[ty][tx] = B[(ph * 16 + ty) * N + col];      // once for four tiles of A
        for (int c = 0; c < 4; c++) {
            As[ty][tx] = A[(row + c * 16) * N + ph * 16 + tx];
            __syncthreads();
            for (int k = 0; k < 16; k++) {
                sum[c] += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
    }
    for (int c = 0; c < 4; c++) {
        if (row + c * 16 < N) {
            C[(row + c * 16) * N + col] = sum[c];
        }
    }
//@ wrong one-barrier: reports
    int row = blockIdx.y * 64 + ty;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int ph = 0; ph < N / 16; ph++) {
        Bs[ty][tx] = B[(ph * 16 + ty) * N + col];      // once for four tiles of A
        for (int c = 0; c < 4; c++) {
            if (row + c * 16 < N) {                // the same for the whole block
                As[ty][tx] = A[(row + c * 16) * N + ph * 16 + tx];
            }
            __syncthreads();
            for (int k = 0; k < 16; k++) {
                sum[c] += As[ty][k] * Bs[k][tx];
            }
        }
    }
    for (int c = 0; c < 4; c++) {
        if (row + c * 16 < N) {
            C[(row + c * 16) * N + col] = sum[c];
        }
    }
//@ wrong tiles-overlap: results
    int row = blockIdx.y * 64 + ty;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int ph = 0; ph < N / 16; ph++) {
        Bs[ty][tx] = B[(ph * 16 + ty) * N + col];      // once for four tiles of A
        for (int c = 0; c < 4; c++) {
            if (row + c * 16 < N) {                // the same for the whole block
                As[ty][tx] = A[(row + c) * N + ph * 16 + tx];
            }
            __syncthreads();
            for (int k = 0; k < 16; k++) {
                sum[c] += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
    }
    for (int c = 0; c < 4; c++) {
        if (row + c * 16 < N) {
            C[(row + c) * N + col] = sum[c];
        }
    }
//@ end
}
