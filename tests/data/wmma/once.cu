// D = A B + C for one warp and 16 x 16 matrices, in any layout and type that the macros name.
#include <cuda_fp16.h>
#include <mma.h>

#ifndef LAYOUT_A
#define LAYOUT_A row_major
#define LAYOUT_B row_major
#define LAYOUT_C mem_row_major
#define TYPE_C float
#define TYPE_D float
#endif
namespace w = nvcuda::wmma;

__global__ void once(const half *A, const half *B, const TYPE_C *C, TYPE_D *D, int lda, int ldb, int ldc) {
    w::fragment<w::matrix_a, 16, 16, 16, half, w::LAYOUT_A> a;
    w::fragment<w::matrix_b, 16, 16, 16, half, w::LAYOUT_B> b;
    w::fragment<w::accumulator, 16, 16, 16, TYPE_C> c;
    w::fragment<w::accumulator, 16, 16, 16, TYPE_D> d;
    w::load_matrix_sync(a, A, lda);
    w::load_matrix_sync(b, B, ldb);
    w::load_matrix_sync(c, C, ldc, w::LAYOUT_C);
    w::mma_sync(d, a, b, c);
    w::store_matrix_sync(D, d, ldc, w::LAYOUT_C);
}
