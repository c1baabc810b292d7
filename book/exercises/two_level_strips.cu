// C = A^T B. A holds inner rows of rows floats, B inner rows of cols floats.
// 16 x 16 threads a block, 2 x 2 elements of C a thread: a block has 32 x 32.
__global__ void multiply(const float *A, const float *B, float *C,
                         int rows, int cols, int inner) {
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + 2 * ty;
    int col = blockIdx.x * 32 + 2 * tx;
    float c[2][2] = {};
//@ starter
    // Your code: fetch strips of 8 rows and 32 columns; multiply from them.
    for (int k = 0; k < inner; k++) {
        for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 2; x++) {
                if (row + y < rows && col + x < cols) {
                    c[y][x] += A[k * rows + row + y] * B[k * cols + col + x];
                }
            }
        }
    }
//@ solution
    __shared__ float sA[8][32], sB[8][32];
    int tid = ty * 16 + tx;
    int fy = tid / 32, fx = tid % 32;          // 256 threads, 8 x 32 elements
    int fa = blockIdx.y * 32 + fx, fb = blockIdx.x * 32 + fx;
    for (int ko = 0; ko < inner; ko += 8) {
        sA[fy][fx] = fa < rows ? A[(ko + fy) * rows + fa] : 0.0f;
        sB[fy][fx] = fb < cols ? B[(ko + fy) * cols + fb] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int y = 0; y < 2; y++) {
                for (int x = 0; x < 2; x++) {
                    c[y][x] += sA[k][2 * ty + y] * sB[k][2 * tx + x];
                }
            }
        }
        __syncthreads();
    }
//@ wrong one-barrier: reports
    __shared__ float sA[8][32], sB[8][32];
    int tid = ty * 16 + tx;
    int fy = tid / 32, fx = tid % 32;
    int fa = blockIdx.y * 32 + fx, fb = blockIdx.x * 32 + fx;
    for (int ko = 0; ko < inner; ko += 8) {
        sA[fy][fx] = fa < rows ? A[(ko + fy) * rows + fa] : 0.0f;
        sB[fy][fx] = fb < cols ? B[(ko + fy) * cols + fb] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int y = 0; y < 2; y++) {
                for (int x = 0; x < 2; x++) {
                    c[y][x] += sA[k][2 * ty + y] * sB[k][2 * tx + x];
                }
            }
        }
    }
//@ wrong no-guard: runs
    __shared__ float sA[8][32], sB[8][32];
    int tid = ty * 16 + tx;
    int fy = tid / 32, fx = tid % 32;
    int fa = blockIdx.y * 32 + fx, fb = blockIdx.x * 32 + fx;
    for (int ko = 0; ko < inner; ko += 8) {
        sA[fy][fx] = A[(ko + fy) * rows + fa];
        sB[fy][fx] = B[(ko + fy) * cols + fb];
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int y = 0; y < 2; y++) {
                for (int x = 0; x < 2; x++) {
                    c[y][x] += sA[k][2 * ty + y] * sB[k][2 * tx + x];
                }
            }
        }
        __syncthreads();
    }
//@ wrong down-columns: global_load_sectors_per_request
    __shared__ float sA[8][32], sB[8][32];
    int tid = ty * 16 + tx;
    int fy = tid % 8, fx = tid / 8;
    int fa = blockIdx.y * 32 + fx, fb = blockIdx.x * 32 + fx;
    for (int ko = 0; ko < inner; ko += 8) {
        sA[fy][fx] = fa < rows ? A[(ko + fy) * rows + fa] : 0.0f;
        sB[fy][fx] = fb < cols ? B[(ko + fy) * cols + fb] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int y = 0; y < 2; y++) {
                for (int x = 0; x < 2; x++) {
                    c[y][x] += sA[k][2 * ty + y] * sB[k][2 * tx + x];
                }
            }
        }
        __syncthreads();
    }
//@ end
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 2; x++) {
            if (row + y < rows && col + x < cols) {
                C[(row + y) * cols + col + x] = c[y][x];
            }
        }
    }
}
