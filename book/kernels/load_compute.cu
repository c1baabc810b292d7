// Rounds of one dependent load and OPS dependent multiply-
// adds: how many warps does it take to hide the load?
#ifndef OPS
#define OPS 16
#endif

__global__ void load_compute(const int *next, float *out, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = i;
    float x = 1.0f;
    for (int r = 0; r < rounds; r++) {
        j = next[j];
        x += j % 2;
        for (int k = 0; k < OPS; k++) {
            x = x * 0.5f + 0.25f;
        }
    }
    out[i] = x;
}
