// Each thread writes the index of its block.
__global__ void index_block(int *A) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    A[i] = blockIdx.x;
}
