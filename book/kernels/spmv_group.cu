// y += A x for a matrix in CSR form: LANES neighbouring
// lanes share a row (1, 2, 4, ... 32), summed by shuffles.
#ifndef LANES
#define LANES 8
#endif

__global__ void spmv_group(const float *data, const int *col, const int *row_ptr,
                           const float *x, float *y, int rows) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = t % LANES;
    int row = t / LANES;
    float dot = 0.0f;
    if (row < rows) {
        int end = row_ptr[row + 1];
        for (int e = row_ptr[row] + lane; e < end; e += LANES) {
            dot += data[e] * x[col[e]];
        }
    }
    for (int d = LANES / 2; d > 0; d /= 2) {
        dot += __shfl_down_sync(0xffffffff, dot, d, LANES);
    }
    if (row < rows && lane == 0) {
        y[row] += dot;
    }
}
