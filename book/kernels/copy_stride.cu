// Copy one float a thread; neighbouring threads read floats that lie stride apart.
__global__ void copy_stride(const float *in, float *out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i * stride];
    }
}
