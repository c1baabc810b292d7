// matmul_warps with STAGES sets of strips: cp.async brings the strips that come later past the registers,
// while the block computes; one barrier a strip. The strip of A is turned on its way, word by word.
// THREADS threads a block; N is a multiple of 128, the grid's height of GROUP.
#include <cuda_pipeline.h>
#ifndef S
#define S 16
#endif
#ifndef W
#define W 16               // columns a thread, in groups of four that lie 16 apart; its rows are 4 + 4, 32 apart
#endif
#ifndef GROUP
#define GROUP 8            // blocks go down GROUP rows of tiles before the next column: L2 serves more of them
#endif
#ifndef STAGES
#define STAGES 2
#endif
#define THREADS (128 * 128 / (8 * W))
#define ROWS (THREADS / S)                // rows of A that the block fetches at once
#define STEPS (THREADS / 32)              // and rows of B

__global__ void __launch_bounds__(THREADS, 2) matmul_async(const float *A, const float *B, float *C, int N) {
    __shared__ __align__(16) float sA[STAGES][S][128 + 4];
    __shared__ __align__(16) float sB[STAGES][S][128];
    int tid = threadIdx.x;
    int lane = tid % 32;
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int tile_y = number / (GROUP * gridDim.x) * GROUP + number % GROUP;
    int tile_x = number % (GROUP * gridDim.x) / GROUP;
    int y0 = tid / 32 / (32 / W) * 64 + lane / 4 * 4;          // a thread's first row in the block's tile
    int x0 = tid / 32 % (32 / W) * (4 * W) + lane % 4 * 4;     // and its first column
    int ka = tid % S;                                          // what it fetches: step ka of row ya,
    int ya = tid / S;
    int xb = tid % 32 * 4;                                     // columns xb ... of step tid / 32
    const float *a_from = A + (tile_y * 128 + ya) * N + ka;
    const float *b_from = B + tid / 32 * N + tile_x * 128 + xb;
    float c[8][W] = {};
    float a[8];
    float b[W];
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
#pragma unroll
        for (int i = 0; i < 128; i += ROWS) {
            __pipeline_memcpy_async(&sA[s][ka][ya + i], &a_from[i * N + s * S], 4);
        }
#pragma unroll
        for (int i = 0; i < S; i += STEPS) {
            __pipeline_memcpy_async(&sB[s][tid / 32 + i][xb], &b_from[(s * S + i) * N], 16);
        }
        __pipeline_commit();
    }
    for (int strip = 0; strip < N / S; strip++) {
        int now = strip % STAGES;
        int later = strip + STAGES - 1;
        __pipeline_wait_prior(STAGES - 2);     // this thread's part of the strip has arrived ...
        __syncthreads();                       // ... and everybody's; nobody reads the strip before any more
        if (later < N / S) {
            int s = later % STAGES;
#pragma unroll
            for (int i = 0; i < 128; i += ROWS) {
                __pipeline_memcpy_async(&sA[s][ka][ya + i], &a_from[i * N + later * S], 4);
            }
#pragma unroll
            for (int i = 0; i < S; i += STEPS) {
                __pipeline_memcpy_async(&sB[s][tid / 32 + i][xb], &b_from[(later * S + i) * N], 16);
            }
        }
        __pipeline_commit();                   // also where nothing was asked for: the wait counts commits
#pragma unroll
        for (int k = 0; k < S; k++) {
#pragma unroll
            for (int v = 0; v < 8; v += 4) {
                *(float4 *)&a[v] = *(const float4 *)&sA[now][k][y0 + 8 * v];
            }
#pragma unroll
            for (int v = 0; v < W; v += 4) {
                *(float4 *)&b[v] = *(const float4 *)&sB[now][k][x0 + 4 * v];
            }
#pragma unroll
            for (int y = 0; y < 8; y++) {
#pragma unroll
                for (int x = 0; x < W; x++) {
                    c[y][x] += a[y] * b[x];
                }
            }
        }
    }
#pragma unroll
    for (int y = 0; y < 8; y++) {
        float *row = C + (tile_y * 128 + y0 + y / 4 * 32 + y % 4) * N + tile_x * 128 + x0;
#pragma unroll
        for (int x = 0; x < W; x += 4) {
            *(float4 *)&row[4 * x] = *(float4 *)&c[y][x];
        }
    }
}
