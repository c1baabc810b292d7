// Three ways to send threads to two sides of an `if`: five of
// them (mode 0), every second one, or every second warp.
__global__ void split(float *out, int mode) {
    int t = threadIdx.x;
    bool p;
    if (mode == 0) {
        p = t == 1 || t == 3 || t == 5 || t == 11 || t == 13;
    } else if (mode == 1) {
        p = t % 2 == 0;
    } else {
        p = t / 32 % 2 == 0;
    }
    if (p) {
        out[t] = sinf(t);
    } else {
        out[t] = cosf(t);
    }
}
