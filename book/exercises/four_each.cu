// c = a b, four elements a thread.  A block of B threads owns 4 B neighbouring elements.
__global__ void four_each(const float *a, const float *b, float *c, int n) {
//@ starter
    int i = blockIdx.x * blockDim.x + threadIdx.x;    // your code: which four?
    if (i < n) {
        c[i] = a[i] * b[i];
    }
//@ solution
    int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = first + k * blockDim.x;
        if (i < n) {
            c[i] = a[i] * b[i];
        }
    }
//@ wrong neighbours: global_load_sectors_per_request
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int k = 0; k < 4; k++) {
        int i = first + k;
        if (i < n) {
            c[i] = a[i] * b[i];
        }
    }
//@ wrong unguarded: runs
    int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    if (first < n) {
        for (int k = 0; k < 4; k++) {
            int i = first + k * blockDim.x;
            c[i] = a[i] * b[i];
        }
    }
//@ wrong overlapping: results
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = first + k * blockDim.x;
        if (i < n) {
            c[i] = a[i] * b[i];
        }
    }
//@ end
}
