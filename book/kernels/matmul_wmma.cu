// C = A B in half precision on the tensor cores, one warp a
// 16 x 16 tile of C, summed in float.
// blockDim is (32, 4); N is a multiple of 64.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void matmul_wmma(const half *A, const half *B, float *C, int N) {
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
    int col = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < N; k += 16) {
        wmma::load_matrix_sync(a, A + row * N + k, N);
        wmma::load_matrix_sync(b, B + k * N + col, N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * N + col, c, N, wmma::mem_row_major);
}
