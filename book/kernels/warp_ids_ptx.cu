// real GPU only: the hardware's own answer, read from
// the lane register and from the warp's first lane.
// The leader of a warp is its lowest thread number; threads of one warp agree on it.
__global__ void warp_ids_ptx(int *leader, int *lane) {
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int i = block * blockDim.x * blockDim.y * blockDim.z + t;
    int my_lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(my_lane));
    lane[i] = my_lane;
    leader[i] = __shfl_sync(__activemask(), t, 0);
}
