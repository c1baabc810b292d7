// An array whose index is known only at run time
// cannot live in registers: it goes to local memory.
#ifndef SLOTS
#define SLOTS 16
#endif

__global__ void local_array(const float *in, const int *pick, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float slot[SLOTS];
        for (int k = 0; k < SLOTS; k++) {
            slot[k] = in[k * n + i];
        }
        out[i] = slot[pick[i] % SLOTS];
    }
}
