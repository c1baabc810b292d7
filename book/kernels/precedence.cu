// Meant is element 4 t + 1, but + binds tighter than <<.
__global__ void precedence(const float *in, float *out) {
    __shared__ float s[288];
    for (int k = threadIdx.x; k < 288; k += 32) {
        s[k] = in[k];
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x << 2 + 1];
}
