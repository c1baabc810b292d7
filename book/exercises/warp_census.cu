// One number a warp: how many threads it has.  A block fills `warps` warps; the last may be partly empty.
__global__ void census(int *threads, int warps) {
    int size = blockDim.x * blockDim.y * blockDim.z;
//@ starter
    int t = threadIdx.x;            // your code: the thread's number in a block of any shape
    threads[blockIdx.x * warps + t / 32] = size;    // and who writes what?
//@ solution
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (t % 32 == 0) {
        threads[blockIdx.x * warps + t / 32] = min(32, size - t);
    }
//@ wrong row: results
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    if (t % 32 == 0) {
        threads[blockIdx.x * warps + t / 32] = min(32, size - t);
    }
//@ wrong yfirst: results
    int t = (threadIdx.x * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
    if (threadIdx.x == 0) {
        threads[blockIdx.x * warps + t / 32] = min(32, size - t / 32 * 32);
    }
//@ wrong everyone: global_store_bytes
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    threads[blockIdx.x * warps + t / 32] = min(32, size - t / 32 * 32);
//@ end
}
