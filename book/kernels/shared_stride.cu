// A warp reads shared memory with a stride; blockDim.x is 32.
#ifndef WORDS
#define WORDS 1024
#endif

__global__ void shared_stride(const float *in, float *out, int stride, int offset) {
    __shared__ float word[WORDS];
    int lane = threadIdx.x;
    for (int k = lane; k < WORDS; k += 32) {
        word[k] = in[k];
    }
    __syncwarp();
    out[blockIdx.x * 32 + lane] = word[(lane * stride + offset) % WORDS];
}
