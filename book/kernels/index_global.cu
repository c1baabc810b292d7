// Each thread writes its index in the whole grid.
__global__ void index_global(int *A) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    A[i] = i;
}
