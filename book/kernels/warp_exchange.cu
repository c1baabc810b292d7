// Lanes of one warp swap values through shared memory;
// __syncwarp() orders the write before the read.
// SYNC 0 leaves it out: the lanes of a warp are not guaranteed to run in step.
#ifndef SYNC
#define SYNC 1
#endif

__global__ void warp_exchange(const float *in, float *out) {
    __shared__ float slot[32];
    int lane = threadIdx.x;
    slot[lane] = in[lane];
    if (SYNC) {
        __syncwarp();
    }
    out[lane] = slot[lane ^ 1];
}
