__global__ void saxpy_inc(int n, float a, const float *x, int incx, float *y, int incy) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
//@ starter
        y[i] += a * x[i];            // your code: with both increments
//@ solution
        y[i * incy] += a * x[i * incx];
//@ wrong one-stride: runs
        y[i * incx] += a * x[i * incx];
//@ wrong all-elements: results
        y[i] += a * x[i * incx];
//@ end
    }
}
