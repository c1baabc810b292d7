// C = A B, each stored row by row: strips of A and B in shared memory, V x V outputs a thread.
// The strips come as float4; that of A is turned on its way in, so that rows lie side by side.
// blockDim is (L / V, L / V); N is a multiple of L and S; V is 4 or 8.
#ifndef L
#define L 128
#endif
#ifndef S
#define S 8
#endif
#ifndef V
#define V 8
#endif
#ifndef SPLIT
#define SPLIT 1            // 1: a thread's rows and columns are V / 4 groups of four, L / (V / 4) apart
#endif
#define THREADS ((L / V) * (L / V))
#define APART (SPLIT ? 4 * L / V : 4)     // from one group of four to the next
#define WIDE (SPLIT ? 4 : V)              // from one thread to the next

__global__ void matmul_strips(const float *A, const float *B, float *C, int N) {
    __shared__ __align__(16) float sA[S][L + 4];    // four more words: turned stores meet no conflict
    __shared__ __align__(16) float sB[S][L];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * (L / V) + tx;
    const float *a_rows = A + blockIdx.y * L * N;
    const float *b_columns = B + blockIdx.x * L;
    float c[V][V] = {};
    float a[V];
    float b[V];
    for (int ko = 0; ko < N; ko += S) {
#pragma unroll
        for (int e = tid; e < L * S / 4; e += THREADS) {
            int y = e / (S / 4);
            int k = e % (S / 4) * 4;
            float4 v = *(const float4 *)&a_rows[y * N + ko + k];
            sA[k][y] = v.x;
            sA[k + 1][y] = v.y;
            sA[k + 2][y] = v.z;
            sA[k + 3][y] = v.w;
            int x = e % (L / 4) * 4;
            k = e / (L / 4);
            *(float4 *)&sB[k][x] = *(const float4 *)&b_columns[(ko + k) * N + x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < S; k++) {
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                *(float4 *)&a[v] = *(const float4 *)&sA[k][WIDE * ty + APART * (v / 4)];
                *(float4 *)&b[v] = *(const float4 *)&sB[k][WIDE * tx + APART * (v / 4)];
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
#pragma unroll
    for (int y = 0; y < V; y++) {
        int row = blockIdx.y * L + WIDE * ty + APART * (y / 4) + y % 4;
#pragma unroll
        for (int x = 0; x < V; x += 4) {
            int col = blockIdx.x * L + WIDE * tx + APART * (x / 4);
            *(float4 *)&C[row * N + col] = *(float4 *)&c[y][x];
        }
    }
}
