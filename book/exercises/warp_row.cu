__global__ void warp_row(const float *data, const int *col, const int *ptr, const float *x, float *y, int rows) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = t % 32, row = t / 32;
    if (row >= rows) return;
    float sum = 0.0f;
//@ starter
    for (int e = ptr[row]; e < ptr[row + 1]; e++) {   // your code: share the row
        sum += data[e] * x[col[e]];
    }
//@ solution
    for (int e = ptr[row] + lane; e < ptr[row + 1]; e += 32) {
        sum += data[e] * x[col[e]];
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, d);
    }
//@ wrong no-sum: results
    for (int e = ptr[row] + lane; e < ptr[row + 1]; e += 32) {
        sum += data[e] * x[col[e]];
    }
//@ wrong pieces: global_load_sectors
    int share = (ptr[row + 1] - ptr[row] + 31) / 32;
    int first = ptr[row] + lane * share;
    for (int e = first; e < first + share && e < ptr[row + 1]; e++) {
        sum += data[e] * x[col[e]];
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, d);
    }
//@ end
    if (lane == 0) y[row] += sum;
}
