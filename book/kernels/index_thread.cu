// Each thread writes its index inside its block.
__global__ void index_thread(int *A) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    A[i] = threadIdx.x;
}
