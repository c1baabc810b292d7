// y += A x for a matrix in CSR form, by a single thread: the loops as a CPU would run them.
__global__ void spmv_serial(const float *data, const int *col, const int *row_ptr,
                            const float *x, float *y, int rows) {
    for (int row = 0; row < rows; row++) {
        float dot = 0.0f;
        int end = row_ptr[row + 1];
        for (int e = row_ptr[row]; e < end; e++) {
            dot += data[e] * x[col[e]];
        }
        y[row] += dot;
    }
}
