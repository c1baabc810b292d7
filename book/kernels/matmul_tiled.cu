// C = A B through TILE x TILE tiles in shared memory: each loaded element is used TILE times.
// TILE x TILE threads a block, one element of C a thread; N is a multiple of TILE.
#ifndef TILE
#define TILE 16
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
const int unrolled = UNROLL;    // nvcc puts no macros into a #pragma

__global__ void matmul_tiled(const float *A, const float *B, float *C, int N) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int ph = 0; ph < N / TILE; ph++) {
        As[ty][tx] = A[row * N + ph * TILE + tx];
        Bs[ty][tx] = B[(ph * TILE + ty) * N + col];
        __syncthreads();                       // the tiles are complete
#pragma unroll unrolled
        for (int k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();                       // nobody needs the tiles any more
    }
    C[row * N + col] = sum;
}
