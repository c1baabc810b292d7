// c = a b for n elements, by however many threads the launch has.
__global__ void spread(const float *a, const float *b, float *c, int n) {
//@ starter
    for (int i = 0; i < n; i++) {    // your code: now every thread does all the work
//@ solution
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
//@ wrong everything: global_load_requests
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
//@ wrong pieces: global_load_sectors_per_request
    int piece = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
    for (int i = first; i < min(first + piece, n); i++) {
//@ wrong once: results
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i = n) {
//@ end
        c[i] = a[i] * b[i];
    }
}
