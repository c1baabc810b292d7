// matmul_tiled for any N: round the phases up, fill the edge of
// the tiles with zeros, let every thread reach the barriers.
#ifndef TILE
#define TILE 16
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
const int unrolled = UNROLL;    // nvcc puts no macros into a #pragma

__global__ void matmul_tiled_guarded(const float *A, const float *B, float *C, int N) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int ph = 0; ph < (N + TILE - 1) / TILE; ph++) {
        int ka = ph * TILE + tx;               // column of A
        int kb = ph * TILE + ty;               // row of B
        As[ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Bs[ty][tx] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
#pragma unroll unrolled
        for (int k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < N && col < N) {
        C[row * N + col] = sum;
    }
}
