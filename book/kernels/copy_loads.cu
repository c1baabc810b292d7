// Copy LOADS floats a thread: all loads first, so that LOADS of them are in flight at once.
// The dynamic shared memory is not used; asking for much of it limits the resident blocks.
#ifndef LOADS
#define LOADS 4
#endif

__global__ void copy_loads(const float *in, float *out) {
    extern __shared__ float unused[];
    int i = blockIdx.x * blockDim.x * LOADS + threadIdx.x;
    float v[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        v[k] = in[i + k * blockDim.x];
    }
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        out[i + k * blockDim.x] = v[k];
    }
}
