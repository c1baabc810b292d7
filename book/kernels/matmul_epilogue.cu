// matmul_two_level_vec for a K x N matrix A, transposed, times a K x N matrix B; with EPILOGUE the bias
// and max(x, 0) are applied to the sums before they leave the registers.
// blockDim is (L / V, L / V); N is a multiple of L, K of S, V of 4.
#ifndef L
#define L 64
#endif
#ifndef S
#define S 8
#endif
#ifndef V
#define V 4
#endif
#ifndef EPILOGUE
#define EPILOGUE 1
#endif
#define THREADS ((L / V) * (L / V))

__global__ void matmul_epilogue(const float *A, const float *B, const float *bias, float *C, int N, int K) {
    __shared__ __align__(16) float sA[S][L];
    __shared__ __align__(16) float sB[S][L];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * (L / V) + tx;
    int row = blockIdx.y * L + ty * V;
    int col = blockIdx.x * L + tx * V;
    float c[V][V] = {};
    float a[V];
    float b[V];
    for (int ko = 0; ko < K; ko += S) {
        for (int e = tid; e < L * S; e += THREADS) {
            sA[e / L][e % L] = A[(ko + e / L) * N + blockIdx.y * L + e % L];
            sB[e / L][e % L] = B[(ko + e / L) * N + blockIdx.x * L + e % L];
        }
        __syncthreads();
        for (int ki = 0; ki < S; ki++) {
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                *(float4 *)&a[v] = *(const float4 *)&sA[ki][ty * V + v];
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
#if EPILOGUE
#pragma unroll
    for (int x = 0; x < V; x++) {
        float shift = bias[col + x];
#pragma unroll
        for (int y = 0; y < V; y++) {
            c[y][x] = fmaxf(c[y][x] + shift, 0.0f);
        }
    }
#endif
#pragma unroll
    for (int y = 0; y < V; y++) {
#pragma unroll
        for (int x = 0; x < V; x += 4) {
            *(float4 *)&C[(row + y) * N + col + x] = *(float4 *)&c[y][x];
        }
    }
}
