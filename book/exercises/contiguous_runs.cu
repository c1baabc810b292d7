// Copy n floats, eight by each thread.
__global__ void copy_eight(const float *in, float *out, int n) {
//@ starter
    int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; k < 8; k++) {
        int i = first + k;    // your code: which eight elements does a thread take?
//@ solution
    int first = 8 * blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int i = first + k * blockDim.x;
//@ wrong one-warp-apart: results
    int first = 8 * blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int i = first + k * 32;
//@ wrong backwards: global_load_sectors_per_request
    int first = 8 * blockIdx.x * blockDim.x + 8 * threadIdx.x;
    for (int k = 7; k >= 0; k--) {
        int i = first + k;
//@ wrong one-thread: global_load_requests
    int first = 8 * blockIdx.x * blockDim.x;
    for (int k = 0; k < 8 * blockDim.x && threadIdx.x == 0; k++) {
        int i = first + k;
//@ end
        if (i < n) {
            out[i] = in[i];
        }
    }
}
