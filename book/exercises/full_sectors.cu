// out[2 i] and out[2 i + 1] get in[i], four times each:
// 32 bytes for each of n inputs.
__global__ void spread(const float *in, float4 *out, int n) {
//@ starter
    // Your code: which float4 does a lane store?
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = in[i];
        out[2 * i] = make_float4(v, v, v, v);
        out[2 * i + 1] = make_float4(v, v, v, v);
    }
//@ solution
    int first = 2 * blockIdx.x * blockDim.x;
    for (int j = first + threadIdx.x; j < first + 2 * blockDim.x && j < 2 * n; j += blockDim.x) {
        float v = in[j / 2];
        out[j] = make_float4(v, v, v, v);
    }
//@ wrong no-guard: runs
    int first = 2 * blockIdx.x * blockDim.x;
    for (int j = first + threadIdx.x; j < first + 2 * blockDim.x; j += blockDim.x) {
        float v = in[j / 2];
        out[j] = make_float4(v, v, v, v);
    }
//@ wrong other-input: results
    int first = 2 * blockIdx.x * blockDim.x;
    for (int j = first + threadIdx.x; j < first + 2 * blockDim.x && j < 2 * n; j += blockDim.x) {
        float v = in[j % n];
        out[j] = make_float4(v, v, v, v);
    }
//@ wrong still-two-by-two: global_store_sectors_per_request
    int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int j = first; j < first + 2 && j < 2 * n; j++) {
        float v = in[j / 2];
        out[j] = make_float4(v, v, v, v);
    }
//@ end
}
