// matmul_tiled with COARSE neighbouring tiles of C a block,
// COARSE outputs a thread: the tile of A is fetched once for all.
// TILE x TILE threads a block; N is a multiple of TILE * COARSE.
#ifndef TILE
#define TILE 16
#endif
#ifndef COARSE
#define COARSE 4
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
const int unrolled = UNROLL;    // nvcc puts no macros into a #pragma

__global__ void matmul_coarse(const float *A, const float *B, float *C, int N) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE * COARSE + tx;
    float sum[COARSE];
#pragma unroll
    for (int c = 0; c < COARSE; c++) {
        sum[c] = 0.0f;
    }
    for (int ph = 0; ph < N / TILE; ph++) {
        As[ty][tx] = A[row * N + ph * TILE + tx];
#pragma unroll
        for (int c = 0; c < COARSE; c++) {
            Bs[ty][tx] = B[(ph * TILE + ty) * N + col + c * TILE];
            __syncthreads();
#pragma unroll unrolled
            for (int k = 0; k < TILE; k++) {
                sum[c] += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
    }
#pragma unroll
    for (int c = 0; c < COARSE; c++) {
        C[row * N + col + c * TILE] = sum[c];
    }
}
