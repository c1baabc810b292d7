// C = A^T B (A is stored K x N) with reuse at two levels: a block computes L x L elements
// from strips of S rows in shared memory, a thread computes V x V of them from registers.
// blockDim is (L / V, L / V); N is a multiple of L and S.
#ifndef L
#define L 64
#endif
#ifndef S
#define S 8
#endif
#ifndef V
#define V 4
#endif
#ifndef REVERSED
#define REVERSED 0         // 1: neighbouring threads fetch neighbouring rows instead of columns
#endif
#define THREADS ((L / V) * (L / V))

__global__ void matmul_two_level(const float *A, const float *B, float *C, int N) {
    // volatile: one shared load for each read below; otherwise the compiler fetches four at once
    __shared__ volatile float sA[S][L];
    __shared__ volatile float sB[S][L];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * (L / V) + tx;
    float c[V][V] = {};
    float a[V];
    float b[V];
    for (int ko = 0; ko < N; ko += S) {
        for (int e = tid; e < L * S; e += THREADS) { // fetch both strips together
            int y = REVERSED ? e % S : e / L;
            int x = REVERSED ? e / S : e % L;
            sA[y][x] = A[(ko + y) * N + blockIdx.y * L + x];
            sB[y][x] = B[(ko + y) * N + blockIdx.x * L + x];
        }
        __syncthreads();
        for (int ki = 0; ki < S; ki++) {
#pragma unroll
            for (int v = 0; v < V; v++) {
                a[v] = sA[ki][ty * V + v];
            }
#pragma unroll
            for (int v = 0; v < V; v++) {
                b[v] = sB[ki][tx * V + v];
            }
#pragma unroll
            for (int y = 0; y < V; y++) {
#pragma unroll
                for (int x = 0; x < V; x++) {
                    c[y][x] += a[y] * b[x];
                }
            }
        }
        __syncthreads();
    }
    int row = blockIdx.y * L + ty * V;
    int col = blockIdx.x * L + tx * V;
#pragma unroll
    for (int y = 0; y < V; y++) {
#pragma unroll
        for (int x = 0; x < V; x++) {
            C[(row + y) * N + col + x] = c[y][x];
        }
    }
}
