// y = W x for a 2:4 sparse matrix as compress_24 stores
// it: one row a warp, one group of four a lane and step.
__global__ void matvec_24(const float2 *kept, const unsigned char *place, const float *x,
                          float *y, int rows, int cols) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = t % 32;
    int row = t / 32;
    int groups = cols / 4;
    if (row < rows) {
        float dot = 0.0f;
        for (int g = lane; g < groups; g += 32) {
            float2 w = kept[row * groups + g];
            int p = place[row * groups + g];
            dot += w.x * x[4 * g + p % 4];
            dot += w.y * x[4 * g + p / 4];
        }
        for (int d = 16; d > 0; d /= 2) {
            dot += __shfl_down_sync(0xffffffff, dot, d);
        }
        if (lane == 0) {
            y[row] = dot;
        }
    }
}
