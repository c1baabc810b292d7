// The cheap way out of a short branch: every lane computes both values and keeps one.
__global__ void diverge_select(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        float twice = 2.0f * x;
        float damped = 0.9f * x + 0.1f;
        out[i] = x > 0.0f ? twice : damped;
    }
}
