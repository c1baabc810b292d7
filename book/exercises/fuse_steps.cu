// out = a b + c in one kernel: the product never leaves the thread.
__global__ void fused(const float *a, const float *b, const float *c, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
//@ starter
    if (i < n) {
        out[i] = a[i] * b[i];    // your code: the second kernel's step belongs here too
    }
//@ solution
    if (i < n) {
        float product = a[i] * b[i];
        out[i] = product + c[i];
    }
//@ wrong detour: global_store_requests
    if (i < n) {
        out[i] = a[i] * b[i];
        out[i] = out[i] + c[i];
    }
//@ wrong sum: results
    if (i < n) {
        out[i] = a[i] + b[i] + c[i];
    }
//@ wrong edge: runs
    out[i] = a[i] * b[i] + c[i];
//@ end
}
