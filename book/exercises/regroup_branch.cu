// Even elements are doubled, odd ones take 16 steps.
__global__ void regroup(const float *in, float *out, int n) {
//@ starter
    int i = blockIdx.x * blockDim.x + threadIdx.x;    // your code: which element does a thread take?
//@ solution
    int t = threadIdx.x, half = blockDim.x / 2;
    int i = blockIdx.x * blockDim.x + (t < half ? 2 * t : 2 * (t - half) + 1);
//@ wrong renamed: results
    int i = blockIdx.x * blockDim.x + threadIdx.x;
//@ wrong skipped: divergent_branches
    int i = blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x;
//@ wrong halves: results
    int t = threadIdx.x, half = blockDim.x / 2;
    int i = blockIdx.x * blockDim.x + (t < half ? 2 * t : 2 * t + 1);
//@ end
    if (i < n) {
        float x = in[i];
//@ starter
        if (i % 2 == 0) {
//@ solution
        if (i % 2 == 0) {
//@ wrong renamed: results
        if (threadIdx.x < blockDim.x / 2) {
//@ wrong skipped: divergent_branches
        if (i % 2 == 0) {
//@ end
            x = 2.0f * x;
        } else {
            for (int k = 0; k < 16; k++) {
                x = 0.9f * x + 0.1f;
            }
        }
        out[i] = x;
    }
}
