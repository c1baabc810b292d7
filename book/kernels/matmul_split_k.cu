// C += A B where C has few tiles and K is long: blockIdx.z takes one of gridDim.z stretches of K,
// and the blocks add their parts up with atomicAdd. A is N x K, B is K x N, row by row.
// 16 x 16 threads a block, 64 x 64 outputs; N is a multiple of 64, K of 16 gridDim.z; C starts at 0.
__global__ void matmul_split_k(const float *A, const float *B, float *C, int N, int K) {
    __shared__ __align__(16) float sA[16][64 + 4];
    __shared__ __align__(16) float sB[16][64];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * 16 + tx;
    int share = K / gridDim.z;
    const float *a_from = A + (blockIdx.y * 64 + tid / 4) * K + blockIdx.z * share + tid % 4 * 4;
    const float *b_from = B + (blockIdx.z * share + ty) * N + blockIdx.x * 64 + 4 * tx;
    float c[4][4] = {};
    float a[4];
    float b[4];
    for (int ko = 0; ko < share; ko += 16) {
        float4 v = *(const float4 *)&a_from[ko];
        *(float4 *)&sB[ty][4 * tx] = *(const float4 *)&b_from[ko * N];
        sA[tid % 4 * 4][tid / 4] = v.x;
        sA[tid % 4 * 4 + 1][tid / 4] = v.y;
        sA[tid % 4 * 4 + 2][tid / 4] = v.z;
        sA[tid % 4 * 4 + 3][tid / 4] = v.w;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            *(float4 *)&a[0] = *(const float4 *)&sA[k][4 * ty];
            *(float4 *)&b[0] = *(const float4 *)&sB[k][4 * tx];
#pragma unroll
            for (int y = 0; y < 4; y++) {
#pragma unroll
                for (int x = 0; x < 4; x++) {
                    c[y][x] += a[y] * b[x];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < 4; y++) {
#pragma unroll
        for (int x = 0; x < 4; x++) {
            atomicAdd(&C[(blockIdx.y * 64 + 4 * ty + y) * N + blockIdx.x * 64 + 4 * tx + x], c[y][x]);
        }
    }
}
