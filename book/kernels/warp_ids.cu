// Each thread works out its warp and its lane: number
// the threads of the block x first, then cut every 32.
__global__ void warp_ids(int *warp, int *lane) {
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int i = block * blockDim.x * blockDim.y * blockDim.z + t;
    warp[i] = t / 32;
    lane[i] = t % 32;
}
