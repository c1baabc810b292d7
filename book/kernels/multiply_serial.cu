// c = a b by a single thread that walks through all n elements: a GPU used like an old CPU.
__global__ void multiply_serial(const float *a, const float *b, float *c, int n) {
    for (int i = 0; i < n; i++) {
        c[i] = a[i] * b[i];
    }
}
