// matmul_tiled with its safety parts behind switches: 1 keeps a part, 0 takes it out.
#ifndef TILE
#define TILE 8
#endif
#ifndef FIRST_BARRIER
#define FIRST_BARRIER 1
#endif
#ifndef SECOND_BARRIER
#define SECOND_BARRIER 1
#endif
#ifndef GUARD
#define GUARD 1            // check each access against the edge
#endif
#ifndef ROUND_UP
#define ROUND_UP 1         // also do the last, partly filled phase
#endif
#ifndef EARLY_RETURN
#define EARLY_RETURN 0     // 1: threads beyond the edge leave at once
#endif

__global__ void matmul_tiled_switches(const float *A, const float *B, float *C, int N) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    if (EARLY_RETURN && (row >= N || col >= N)) {
        return;
    }
    float sum = 0.0f;
    int phases = ROUND_UP ? (N + TILE - 1) / TILE : N / TILE;
    for (int ph = 0; ph < phases; ph++) {
        int ka = ph * TILE + tx;
        int kb = ph * TILE + ty;
        As[ty][tx] = !GUARD || (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[ty][tx] = !GUARD || (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        if (FIRST_BARRIER) {
            __syncthreads();
        }
#pragma unroll 1
        for (int k = 0; k < TILE; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        if (SECOND_BARRIER) {
            __syncthreads();
        }
    }
    if (!GUARD || (row < N && col < N)) {
        C[row * N + col] = sum;
    }
}
