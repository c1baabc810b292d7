// Sum of 8 x 256 numbers a block.
__global__ void reduce_items(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 2048 + t;
//@ starter
    s[t] = i < n ? in[i] : 0.0f;              // your code: eight numbers a thread
//@ solution
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        sum += i + 256 * k < n ? in[i + 256 * k] : 0.0f;
    }
    s[t] = sum;
//@ wrong neighbours: global_load_sectors_per_request
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        int j = blockIdx.x * 2048 + 8 * t + k;
        sum += j < n ? in[j] : 0.0f;
    }
    s[t] = sum;
//@ wrong no-guard: runs
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        sum += in[i + 256 * k];
    }
    s[t] = sum;
//@ end
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
