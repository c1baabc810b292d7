// matmul_strips with a tile for each warp. A warp's lanes, 8 down and 4 across, have 8 x W outputs each,
// 64 x 4 W together; the block has 128 x 128. So a warp reads 64 + 4 W numbers a step from shared memory,
// and each of its instructions few different ones. GROUP: see below; S steps a strip.
// THREADS threads a block; N is a multiple of 128, the grid's height of GROUP.
#ifndef S
#define S 8
#endif
#ifndef W
#define W 8                // columns a thread, in groups of four that lie 16 apart; its rows are 4 + 4, 32 apart
#endif
#ifndef GROUP
#define GROUP 1            // blocks go down GROUP rows of tiles before the next column: L2 serves more of them
#endif
#define THREADS (128 * 128 / (8 * W))
#define ROWS (THREADS / (S / 4))          // rows of A that the block fetches at once
#define STEPS (THREADS / 32)              // and rows of B

__global__ void __launch_bounds__(THREADS, 2) matmul_warps(const float *A, const float *B, float *C, int N) {
    __shared__ __align__(16) float sA[S][128 + 4];
    __shared__ __align__(16) float sB[S][128];
    int tid = threadIdx.x;
    int lane = tid % 32;
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int tile_y = number / (GROUP * gridDim.x) * GROUP + number % GROUP;
    int tile_x = number % (GROUP * gridDim.x) / GROUP;
    int y0 = tid / 32 / (32 / W) * 64 + lane / 4 * 4;          // a thread's first row in the block's tile
    int x0 = tid / 32 % (32 / W) * (4 * W) + lane % 4 * 4;     // and its first column
    int ka = tid % (S / 4) * 4;                                // what it fetches: steps ka ... of row ya,
    int ya = tid / (S / 4);
    int xb = tid % 32 * 4;                                     // columns xb ... of step tid / 32
    const float *a_from = A + (tile_y * 128 + ya) * N + ka;
    const float *b_from = B + tid / 32 * N + tile_x * 128 + xb;
    float c[8][W] = {};
    float a[8];
    float b[W];
    for (int ko = 0; ko < N; ko += S) {
#pragma unroll
        for (int i = 0; i < 128; i += ROWS) {
            float4 v = *(const float4 *)&a_from[i * N + ko];
            sA[ka][ya + i] = v.x;
            sA[ka + 1][ya + i] = v.y;
            sA[ka + 2][ya + i] = v.z;
            sA[ka + 3][ya + i] = v.w;
        }
#pragma unroll
        for (int i = 0; i < S; i += STEPS) {
            *(float4 *)&sB[tid / 32 + i][xb] = *(const float4 *)&b_from[(ko + i) * N];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < S; k++) {
#pragma unroll
            for (int v = 0; v < 8; v += 4) {
                *(float4 *)&a[v] = *(const float4 *)&sA[k][y0 + 8 * v];
            }
#pragma unroll
            for (int v = 0; v < W; v += 4) {
                *(float4 *)&b[v] = *(const float4 *)&sB[k][x0 + 4 * v];
            }
#pragma unroll
            for (int y = 0; y < 8; y++) {
#pragma unroll
                for (int x = 0; x < W; x++) {
                    c[y][x] += a[y] * b[x];
                }
            }
        }
        __syncthreads();
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
