// matmul_two_level with float4 reads of shared memory
// and float4 writes of C. V is a multiple of 4.
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

__global__ void matmul_two_level_vec(const float *A, const float *B, float *C, int N) {
    __shared__ __align__(16) float sA[S][L];
    __shared__ __align__(16) float sB[S][L];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * (L / V) + tx;
    float c[V][V] = {};
    float a[V];
    float b[V];
    for (int ko = 0; ko < N; ko += S) {
        for (int e = tid; e < L * S; e += THREADS) {
            int y = REVERSED ? e % S : e / L;
            int x = REVERSED ? e / S : e % L;
            sA[y][x] = A[(ko + y) * N + blockIdx.y * L + x];
            sB[y][x] = B[(ko + y) * N + blockIdx.x * L + x];
        }
        __syncthreads();
        for (int ki = 0; ki < S; ki++) {
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                *(float4 *)&a[v] = *(const float4 *)&sA[ki][ty * V + v];
            }
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                *(float4 *)&b[v] = *(const float4 *)&sB[ki][tx * V + v];
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
        for (int x = 0; x < V; x += 4) {
            *(float4 *)&C[(row + y) * N + col + x] = *(float4 *)&c[y][x];
        }
    }
}
