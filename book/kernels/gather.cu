// Each thread reads where an index array sends it:
// the data decide how many sectors a warp touches.
__global__ void gather(const float *in, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[index[i]];
    }
}
