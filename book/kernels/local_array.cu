// Each thread counts its own ITEMS values in an array of its own.  The index is known only at run time,
// so the array cannot live in registers: it goes to local memory, which is a part of global memory.
#ifndef SLOTS
#define SLOTS 16
#endif
#ifndef ITEMS
#define ITEMS 32
#endif

__global__ void local_array(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int count[SLOTS] = {};
        for (int k = 0; k < ITEMS; k++) {
            count[in[k * n + i]] += 1;
        }
        int most = 0;
        for (int s = 0; s < SLOTS; s++) {
            most = count[s] > most ? count[s] : most;
        }
        out[i] = most;
    }
}
