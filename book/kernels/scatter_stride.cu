// copy_stride the other way round: neighbours are read, stores lie stride apart.
__global__ void scatter_stride(const float *in, float *out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i * stride] = in[i];
    }
}
