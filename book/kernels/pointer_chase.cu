// Each load needs the one before it, so nothing
// overlaps: time / steps is the latency of one load.
__global__ void pointer_chase(const int *next, int *last, int steps) {
    int j = 0;
    for (int k = 0; k < steps; k++) {
        j = next[j];
    }
    last[0] = j;
}
