// c = a b, one element a thread: scalar code for one lane, run by 32 lanes at once.
__global__ void multiply(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] * b[i];
    }
}
