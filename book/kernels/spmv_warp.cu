// y += A x for a matrix in CSR form: one row a warp, its
// 32 partial sums added up as a tree in shared memory.
#ifndef BLOCK
#define BLOCK 128
#endif

__global__ void spmv_warp(const float *data, const int *col, const int *row_ptr, const float *x,
                          float *y, int rows) {
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int lane = t % 32;
    int row = (blockIdx.x * BLOCK + t) / 32;
    if (row < rows) {
        float dot = 0.0f;
        int end = row_ptr[row + 1];
        for (int e = row_ptr[row] + lane; e < end; e += 32) {
            dot += data[e] * x[col[e]];
        }
        part[t] = dot;
        __syncwarp();
        for (int s = 16; s > 0; s /= 2) {
            if (lane < s) {
                part[t] += part[t + s];
            }
            __syncwarp();
        }
        if (lane == 0) {
            y[row] += part[t];
        }
    }
}
