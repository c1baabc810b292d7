// How often does each thread's most frequent value occur?  Blocks of 128 threads.
#define SLOTS 16

__global__ void most(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
//@ starter
    int count[SLOTS] = {};    // your code: local memory; move it into shared memory
    if (i < n) {
        for (int k = 0; k < 32; k++)
            count[in[k * n + i]] += 1;
        int best = 0;
        for (int s = 0; s < SLOTS; s++)
            best = max(best, count[s]);
        out[i] = best;
    }
//@ solution
    __shared__ int count[SLOTS][128];
    int t = threadIdx.x;
    if (i < n) {
        for (int s = 0; s < SLOTS; s++)
            count[s][t] = 0;
        for (int k = 0; k < 32; k++)
            count[in[k * n + i]][t] += 1;
        int best = 0;
        for (int s = 0; s < SLOTS; s++)
            best = max(best, count[s][t]);
        out[i] = best;
    }
//@ wrong rows: shared_excess
    __shared__ int count[128][SLOTS];
    int t = threadIdx.x;
    if (i < n) {
        for (int s = 0; s < SLOTS; s++)
            count[t][s] = 0;
        for (int k = 0; k < 32; k++)
            count[t][in[k * n + i]] += 1;
        int best = 0;
        for (int s = 0; s < SLOTS; s++)
            best = max(best, count[t][s]);
        out[i] = best;
    }
//@ wrong together: results
    __shared__ int count[SLOTS];
    if (i < n) {
        for (int s = 0; s < SLOTS; s++)
            count[s] = 0;
        for (int k = 0; k < 32; k++)
            count[in[k * n + i]] += 1;
        int best = 0;
        for (int s = 0; s < SLOTS; s++)
            best = max(best, count[s]);
        out[i] = best;
    }
//@ wrong unset: results
    __shared__ int count[SLOTS][128];
    int t = threadIdx.x;
    if (i < n) {
        for (int k = 0; k < 32; k++)
            count[in[k * n + i]][t] += 1;
        int best = 0;
        for (int s = 0; s < SLOTS; s++)
            best = max(best, count[s][t]);
        out[i] = best;
    }
//@ end
}
