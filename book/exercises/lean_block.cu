// Adds up 32 numbers for each of n threads, 256 threads a block.
__global__ void lean(const float *in, float *out, int n) {
//@ starter
    __shared__ float kept[8192];       // your code: does this have to be shared?
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 32; k++) {
        kept[k * 256 + threadIdx.x] = in[k * n + i];
    }
    float sum = 0.0f;
    for (int k = 0; k < 32; k++) {
        sum += kept[k * 256 + threadIdx.x];
    }
//@ solution
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < 32; k++) {
        sum += in[k * n + i];
    }
//@ wrong still-there: occupancy
    __shared__ float kept[8192];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < 32; k++) {
        kept[threadIdx.x] = in[k * n + i];
        sum += kept[threadIdx.x];
    }
//@ wrong one-short: results
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 1; k < 32; k++) {
        sum += in[k * n + i];
    }
//@ end
    out[i] = sum;
}
