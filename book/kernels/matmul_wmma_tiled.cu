// matmul_wmma through shared memory: a block of four warps makes 64 x 64 elements of C, each warp 32 x 32.
// PAD keeps the rows of a strip in different banks. blockDim is 128; N is a multiple of 64.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
#ifndef PAD
#define PAD 8
#endif

__global__ void matmul_wmma_tiled(const half *A, const half *B, float *C, int N) {
    __shared__ __align__(32) half As[64][16 + PAD];
    __shared__ __align__(32) half Bs[16][64 + PAD];
    int tid = threadIdx.x;
    int down = tid / 64 * 32;
    int right = tid / 32 % 2 * 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            wmma::fill_fragment(c[i][j], 0.0f);
        }
    }
    for (int k = 0; k < N; k += 16) {
        int ay = tid / 2, ax = tid % 2 * 8;     // a thread fetches eight halves of each strip
        int by = tid / 8, bx = tid % 8 * 8;
        *(int4 *)&As[ay][ax] = *(const int4 *)&A[(blockIdx.y * 64 + ay) * N + k + ax];
        *(int4 *)&Bs[by][bx] = *(const int4 *)&B[(k + by) * N + blockIdx.x * 64 + bx];
        __syncthreads();
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(a[i], &As[down + 16 * i][0], 16 + PAD);
            wmma::load_matrix_sync(b[i], &Bs[0][right + 16 * i], 64 + PAD);
        }
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            int row = blockIdx.y * 64 + down + 16 * i;
            int col = blockIdx.x * 64 + right + 16 * j;
            wmma::store_matrix_sync(C + row * N + col, c[i][j], N, wmma::mem_row_major);
        }
    }
}
