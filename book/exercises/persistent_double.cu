// Doubles n numbers with any number of blocks.
__global__ void persistent(float *a, int n) {
//@ starter
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {            // your code: take further elements, until none is left
        a[i] = 2.0f * a[i];
    }
//@ solution
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        a[i] = 2.0f * a[i];
    }
//@ wrong a-block-apart: results
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
        a[i] = 2.0f * a[i];
    }
//@ wrong neighbours-to-one-thread: global_load_sectors_per_request
    int threads = gridDim.x * blockDim.x;
    int share = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
    for (int i = first; i < first + share && i < n; i++) {
        a[i] = 2.0f * a[i];
    }
//@ end
}
