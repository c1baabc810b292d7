// Histogram of values 0 .. 255: one global atomic an element.
__global__ void histogram_global(const int *in, int *bins, int n) {
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        atomicAdd(&bins[in[i]], 1);
    }
}
