__global__ void votes(const unsigned char *v, unsigned int *hist, int n) {
    __shared__ unsigned char f[8192]; int lane = threadIdx.x;
    v += blockIdx.x * n, hist += blockIdx.x * 256;
    for (int k = lane; k < 8192; k += 32) f[k] = 0;
    __syncwarp();
    for (int k = lane; k < n; k += 32) {
        int x = v[k];
//@ starter
        f[x * 32 + lane] += 1;                            // your code: another place for (x, lane)
//@ solution
        f[x / 4 * 128 + lane * 4 + x % 4] += 1;
//@ wrong rows-of-lanes: shared_excess
        f[lane * 256 + x] += 1;
//@ wrong one-for-all: reports
        f[x] += 1;
//@ end
    }
    __syncwarp();
    for (int b = lane; b < 256; b += 32) {
        hist[b] = 0;
        for (int l = 0; l < 32; l++)
//@ starter
            hist[b] += f[b * 32 + (l + lane) % 32];             // and the same place here
//@ solution
            hist[b] += f[b / 4 * 128 + (l + lane) % 32 * 4 + b % 4];
//@ wrong rows-of-lanes: shared_excess
            hist[b] += f[(l + lane) % 32 * 256 + b];
//@ wrong one-for-all: reports
            hist[b] += l == 0 ? f[b] : 0;
//@ end
    }
}
