// C = A^T B with K = 8 rows, one strip: A holds 8 x rows floats, B 8 x cols.
// 16 x 16 threads a block; a block has 16 rows and 64 columns of C.
__global__ void multiply(const float *A, const float *B, float *C,
                         int rows, int cols) {
    __shared__ float sB[8][64];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int first = blockIdx.x * 64;
    for (int e = ty * 16 + tx; e < 8 * 64; e += 256) {
        int x = first + e % 64;
        sB[e / 64][e % 64] = x < cols ? B[e / 64 * cols + x] : 0.0f;
    }
    __syncthreads();
    float c[4] = {};
    for (int k = 0; k < 8; k++) {
        float a = row < rows ? A[k * rows + row] : 0.0f;
        for (int v = 0; v < 4; v++) {
//@ starter
            // Your code: which column is element v of this thread?
            c[v] += a * sB[k][4 * tx + v];
//@ solution
            c[v] += a * sB[k][16 * v + tx];
//@ wrong store-forgotten: results
            c[v] += a * sB[k][16 * v + tx];
//@ wrong load-forgotten: results
            c[v] += a * sB[k][4 * tx + v];
//@ wrong still-apart: shared_load_excess
            c[v] += a * sB[k][(4 * tx + v + 1) % 64];
//@ end
        }
    }
    for (int v = 0; v < 4; v++) {
//@ starter
        int col = first + 4 * tx + v;
//@ solution
        int col = first + 16 * v + tx;
//@ wrong store-forgotten: results
        int col = first + 4 * tx + v;
//@ wrong load-forgotten: results
        int col = first + 16 * v + tx;
//@ wrong still-apart: shared_load_excess
        int col = first + (4 * tx + v + 1) % 64;
//@ end
        if (row < rows && col < cols) {
            C[row * cols + col] = c[v];
        }
    }
}
