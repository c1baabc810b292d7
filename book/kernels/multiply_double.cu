// a = b c in double precision, one element a thread, with a guard for the last block.
__global__ void multiply_double(int n, double *a, const double *b, const double *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = b[i] * c[i];
    }
}
