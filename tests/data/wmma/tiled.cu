// C = alpha A B + beta C, tiles of A and B in shared memory, 2 x 2 fragments a warp, 4 warps a block.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
#ifndef PAD
#define PAD 8
#endif
#define TILE 64
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sums;

__device__ void scale(Sums &c, const Sums &sums, float alpha, float beta) {
    for (int t = 0; t < c.num_elements; t++) c.x[t] = alpha * sums.x[t] + beta * c.x[t];
}

__global__ void tiled(const half *A, const half *B, float *C, int N, float alpha, float beta) {
    __shared__ __align__(32) half As[TILE][16 + PAD];
    __shared__ __align__(32) half Bs[16][TILE + PAD];
    int warp = threadIdx.x / 32, down = warp / 2 * 32, right = warp % 2 * 32;
    Sums sums[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int k = 0; k < N; k += 16) {
        for (int e = threadIdx.x; e < TILE * 16; e += blockDim.x) {
            As[e / 16][e % 16] = A[(blockIdx.y * TILE + e / 16) * N + k + e % 16];
            Bs[e / TILE][e % TILE] = B[(k + e / TILE) * N + blockIdx.x * TILE + e % TILE];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(a[i], &As[down + 16 * i][0], 16 + PAD);
            wmma::load_matrix_sync(b[i], &Bs[0][right + 16 * i], TILE + PAD);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            float *to = C + (blockIdx.y * TILE + down + 16 * i) * N + blockIdx.x * TILE + right + 16 * j;
            Sums c;
            wmma::load_matrix_sync(c, to, N, wmma::mem_row_major);
            scale(c, sums[i][j], alpha, beta);
            wmma::store_matrix_sync(to, c, N, wmma::mem_row_major);
        }
}
