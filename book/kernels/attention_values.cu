// Attention, last of three kernels: O = P V, with the N x N weights P and N values of 64 numbers.
// 16 x 16 threads a block, 64 rows of O, 4 x 4 numbers a thread; strips of 16 weights.
__global__ void attention_values(const float *P, const float *V, float *O, int N) {
    __shared__ float sP[64][16 + 1];
    __shared__ __align__(16) float sV[16][64];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    float o[4][4] = {};
    float v[4];
    for (int ko = 0; ko < N; ko += 16) {
#pragma unroll
        for (int y = 0; y < 4; y++) {
            sP[ty + 16 * y][tx] = P[(blockIdx.x * 64 + ty + 16 * y) * N + ko + tx];
        }
        *(float4 *)&sV[ty][4 * tx] = *(const float4 *)&V[(ko + ty) * 64 + 4 * tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            *(float4 *)&v[0] = *(const float4 *)&sV[k][4 * tx];
#pragma unroll
            for (int y = 0; y < 4; y++) {
#pragma unroll
                for (int x = 0; x < 4; x++) {
                    o[y][x] += sP[ty + 16 * y][k] * v[x];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < 4; y++) {
        *(float4 *)&O[(blockIdx.x * 64 + ty + 16 * y) * 64 + 4 * tx] = *(float4 *)&o[y][0];
    }
}
