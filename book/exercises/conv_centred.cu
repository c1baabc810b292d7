// out[i] = in[i - 3] + ... + in[i + 3], zeros outside; 128 threads a block.
__global__ void conv_centred(const float *in, float *out, int n) {
//@ starter
    // Your code: fetch each input once a block.
    int i = blockIdx.x * 128 + threadIdx.x;
    float sum = 0.0f;
    for (int k = -3; k <= 3; k++) {
        if (i + k >= 0 && i + k < n) sum += in[i + k];
    }
    if (i < n) out[i] = sum;
//@ solution
    __shared__ float s[128 + 6];
    int first = blockIdx.x * 128 - 3, i = blockIdx.x * 128 + threadIdx.x;
    for (int k = threadIdx.x; k < 128 + 6; k += 128) {
        s[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += s[threadIdx.x + k];
    if (i < n) out[i] = sum;
//@ wrong no-barrier: reports
    __shared__ float s[128 + 6];
    int first = blockIdx.x * 128 - 3, i = blockIdx.x * 128 + threadIdx.x;
    for (int k = threadIdx.x; k < 128 + 6; k += 128) {
        s[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    }
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += s[threadIdx.x + k];
    if (i < n) out[i] = sum;
//@ wrong zeros-between-blocks: results
    __shared__ float s[128 + 6];
    int i = blockIdx.x * 128 + threadIdx.x;
    for (int k = threadIdx.x; k < 128 + 6; k += 128) s[k] = 0.0f;
    __syncthreads();
    if (i < n) s[threadIdx.x + 3] = in[i];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += s[threadIdx.x + k];
    if (i < n) out[i] = sum;
//@ wrong no-left-guard: runs
    __shared__ float s[128 + 6];
    int first = blockIdx.x * 128 - 3, i = blockIdx.x * 128 + threadIdx.x;
    for (int k = threadIdx.x; k < 128 + 6; k += 128) {
        s[k] = first + k < n ? in[first + k] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += s[threadIdx.x + k];
    if (i < n) out[i] = sum;
//@ end
}
