// y += A x for a matrix in CSR form: one row a thread.
__global__ void spmv_thread(const float *data, const int *col, const int *row_ptr,
                            const float *x, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float dot = 0.0f;
        int end = row_ptr[row + 1];
        for (int e = row_ptr[row]; e < end; e++) {
            dot += data[e] * x[col[e]];
        }
        y[row] += dot;
    }
}
