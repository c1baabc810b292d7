// best[i]: distance of pt[i] to the nearest of nref references.
// 64 threads a block, a tile of 64 references.
__global__ void nearest(const float *ref, const float *pt, float *best,
                        int nref, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
//@ starter
    float x = i < n ? pt[i] : 0.0f, d = 1e30f;
    // Your code: which threads come to the barrier?
    for (int m = t; m < nref; m += 64) {
        tile[t] = ref[m];
        __syncthreads();
        for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
        // And who may still be reading the tile here?
    }
    if (i < n) best[i] = d;
//@ solution
    float x = i < n ? pt[i] : 0.0f, d = 1e30f;
    for (int m = 0; m < nref; m += 64) {
        tile[t] = m + t < nref ? ref[m + t] : 1e30f;
        __syncthreads();
        for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
        __syncthreads();
    }
    if (i < n) best[i] = d;
//@ wrong one-barrier: reports
    float x = i < n ? pt[i] : 0.0f, d = 1e30f;
    for (int m = 0; m < nref; m += 64) {
        tile[t] = m + t < nref ? ref[m + t] : 1e30f;
        __syncthreads();
        for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
    }
    if (i < n) best[i] = d;
//@ wrong leaves-early: reports
    if (i >= n) return;
    float x = pt[i], d = 1e30f;
    for (int m = 0; m < nref; m += 64) {
        tile[t] = m + t < nref ? ref[m + t] : 1e30f;
        __syncthreads();
        for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
        __syncthreads();
    }
    best[i] = d;
//@ wrong zeros-at-the-end: results
    float x = i < n ? pt[i] : 0.0f, d = 1e30f;
    for (int m = 0; m < nref; m += 64) {
        tile[t] = m + t < nref ? ref[m + t] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
        __syncthreads();
    }
    if (i < n) best[i] = d;
//@ end
}
