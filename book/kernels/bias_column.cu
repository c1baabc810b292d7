// Add a bias to each column of a matrix: a thread owns
// ROWS rows of one column and loads the bias once.
#ifndef ROWS
#define ROWS 16
#endif

__global__ void bias_column(float *matrix, const float *bias, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int first_row = blockIdx.y * ROWS;
    if (col < cols) {
        float b = bias[col];
        for (int i = 0; i < ROWS; i++) {
            int row = first_row + i;
            if (row < rows) {
                matrix[row * cols + col] += b;
            }
        }
    }
}
