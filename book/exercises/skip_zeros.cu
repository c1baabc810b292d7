// y = A x, one row a thread; most of x is zero.
__global__ void skip_zeros(const float *A, const float *x, float *y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            float v = x[k];
//@ starter
            sum += A[row * n + k] * v;         // your code: not if v is zero
//@ solution
            if (v != 0.0f) {
                sum += A[row * n + k] * v;
            }
//@ wrong stops-early: results
            if (v == 0.0f) break;
            sum += A[row * n + k] * v;
//@ wrong too-late: global_load_requests
            float a = A[row * n + k];
            if (v != 0.0f) {
                sum += a * v;
            }
//@ end
        }
        y[row] = sum;
    }
}
