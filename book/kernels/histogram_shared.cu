// Histogram of values 0 .. 255: each block counts in
// shared memory and adds its 256 totals at the end.
// blockDim.x is 256.
__global__ void histogram_shared(const int *in, int *bins, int n) {
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        atomicAdd(&mine[in[i]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
