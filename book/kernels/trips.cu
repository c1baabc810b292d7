// Thread t goes round the loop t times: a warp stays in it until its last lane is done.
__global__ void trips(unsigned int *out) {
    unsigned int x = threadIdx.x;
    for (int k = 0; k < threadIdx.x; k++) {
        x = x * 1664525u + 1013904223u;
    }
    out[threadIdx.x] = x;
}
