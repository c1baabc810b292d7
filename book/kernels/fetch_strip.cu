// Only the cooperative fetch of matmul_two_level: a block copies
// a strip of S rows and L columns to shared memory and back.
// Thread e takes element e of the strip, counted along rows, or along columns if REVERSED.
#ifndef L
#define L 64
#endif
#ifndef S
#define S 8
#endif
#ifndef REVERSED
#define REVERSED 0
#endif

__global__ void fetch_strip(const float *in, float *out, int cols) {
    __shared__ float strip[S][L];
    for (int e = threadIdx.x; e < L * S; e += blockDim.x) {
        int y = REVERSED ? e % S : e / L;
        int x = REVERSED ? e / S : e % L;
        strip[y][x] = in[y * cols + blockIdx.x * L + x];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < L * S; e += blockDim.x) {
        int y = e / L;
        int x = e % L;
        out[y * cols + blockIdx.x * L + x] = strip[y][x];
    }
}
