// Attention, first of three kernels: S = Q K^T / 8, the N x N scores of N queries and N keys of
// 64 numbers each, through memory. 16 x 16 threads a block, 64 x 64 scores, 4 x 4 a thread.
__global__ void attention_scores(const float *Q, const float *K, float *S, int N) {
    __shared__ float sQ[64][64 + 1];
    __shared__ float sK[64][64 + 1];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    for (int e = ty * 16 + tx; e < 64 * 64; e += 256) {
        sQ[e / 64][e % 64] = Q[blockIdx.y * 64 * 64 + e];
        sK[e / 64][e % 64] = K[blockIdx.x * 64 * 64 + e];
    }
    __syncthreads();
    float s[4][4] = {};
#pragma unroll 8
    for (int d = 0; d < 64; d++) {
#pragma unroll
        for (int y = 0; y < 4; y++) {
#pragma unroll
            for (int x = 0; x < 4; x++) {
                s[y][x] += sQ[ty + 16 * y][d] * sK[tx + 16 * x][d];
            }
        }
    }
#pragma unroll
    for (int y = 0; y < 4; y++) {
#pragma unroll
        for (int x = 0; x < 4; x++) {
            S[(blockIdx.y * 64 + ty + 16 * y) * N + blockIdx.x * 64 + tx + 16 * x] = s[y][x] * 0.125f;
        }
    }
}
