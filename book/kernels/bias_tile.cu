// Add a bias to each column of a matrix: a thread owns ROWS rows of COLS neighbouring columns.
#ifndef ROWS
#define ROWS 16
#endif
#ifndef COLS
#define COLS 2
#endif

__global__ void bias_tile(float *matrix, const float *bias, int rows, int cols) {
    int first_row = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    int first_col = (blockIdx.x * blockDim.x + threadIdx.x) * COLS;
    for (int i = 0; i < ROWS; i++) {
        int row = first_row + i;
        if (row < rows) {
            for (int j = 0; j < COLS; j++) {
                int col = first_col + j;
                if (col < cols) {
                    matrix[row * cols + col] += bias[col];
                }
            }
        }
    }
}
