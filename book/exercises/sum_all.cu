// Adds n numbers to total[0], which starts at zero.
__global__ void sum_all(const float *in, float *total, int n) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
//@ starter
    total[0] = s[0];                          // your code: which thread, and how?
//@ solution
    if (t == 0) atomicAdd(&total[0], s[0]);
//@ wrong everybody: results
    atomicAdd(&total[0], s[0]);
//@ wrong read-and-write: reports
    if (t == 0) total[0] += s[0];
//@ wrong one-by-one: global_atomic_requests
    if (t < 32 && i < n) atomicAdd(&total[0], s[0] * 0.0f);
    if (t == 0) atomicAdd(&total[0], s[0]);
//@ end
}
