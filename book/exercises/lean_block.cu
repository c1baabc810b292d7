// Adds up 32 numbers for each thread, 256 threads a block.
__global__ void lean(const float *in, float *out) {
//@ starter
    __shared__ float kept[8192];       // your code: does this have to be shared?
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 32; k++) {
        kept[k * 256 + threadIdx.x] = in[k * gridDim.x * blockDim.x + i];
    }
    float sum = 0.0f;
    for (int k = 0; k < 32; k++) {
        sum += kept[k * 256 + threadIdx.x];
    }
//@ solution
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 32; k++) {
        sum += in[k * gridDim.x * blockDim.x + i];
    }
//@ wrong half-the-tile: occupancy
    __shared__ float kept[4096];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < 16; k++) {
            kept[k * 256 + threadIdx.x] = in[(16 * half + k) * gridDim.x * blockDim.x + i];
        }
        for (int k = 0; k < 16; k++) {
            sum += kept[k * 256 + threadIdx.x];
        }
    }
//@ wrong one-short: results
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 1; k < 32; k++) {
        sum += in[k * gridDim.x * blockDim.x + i];
    }
//@ end
    out[i] = sum;
}
