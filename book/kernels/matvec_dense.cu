// y = W x for a dense matrix: one row a warp, summed by shuffles.
__global__ void matvec_dense(const float *W, const float *x, float *y, int rows, int cols) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = t % 32;
    int row = t / 32;
    if (row < rows) {
        float dot = 0.0f;
        for (int j = lane; j < cols; j += 32) {
            dot += W[row * cols + j] * x[j];
        }
        for (int d = 16; d > 0; d /= 2) {
            dot += __shfl_down_sync(0xffffffff, dot, d);
        }
        if (lane == 0) {
            y[row] = dot;
        }
    }
}
