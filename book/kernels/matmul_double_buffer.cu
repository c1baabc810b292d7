// matmul_two_level_vec with two sets of strips: while
// the block computes on one, its loads fill the other.
// One barrier a strip is enough.
// blockDim is (L / V, L / V); N is a multiple of L and S; V is a multiple of 4.
#ifndef L
#define L 128
#endif
#ifndef S
#define S 8
#endif
#ifndef V
#define V 8
#endif
#define THREADS ((L / V) * (L / V))
#define SHARE (L * S / THREADS)    // elements of a strip that one thread fetches

__global__ void matmul_double_buffer(const float *A, const float *B, float *C, int N) {
    __shared__ __align__(16) float sA[2][S][L];
    __shared__ __align__(16) float sB[2][S][L];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * (L / V) + tx;
    float c[V][V] = {};
    float a[V];
    float b[V];
    float next_a[SHARE];
    float next_b[SHARE];
#pragma unroll
    for (int j = 0; j < SHARE; j++) {
        int e = tid + j * THREADS;
        sA[0][e / L][e % L] = A[e / L * N + blockIdx.y * L + e % L];
        sB[0][e / L][e % L] = B[e / L * N + blockIdx.x * L + e % L];
    }
    __syncthreads();
    for (int ko = 0; ko < N; ko += S) {
        int now = ko / S % 2;
        if (ko + S < N) {                      // start the loads of the next strip ...
#pragma unroll
            for (int j = 0; j < SHARE; j++) {
                int e = tid + j * THREADS;
                next_a[j] = A[(ko + S + e / L) * N + blockIdx.y * L + e % L];
                next_b[j] = B[(ko + S + e / L) * N + blockIdx.x * L + e % L];
            }
        }
        for (int ki = 0; ki < S; ki++) {       // ... compute on this one ...
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                *(float4 *)&a[v] = *(const float4 *)&sA[now][ki][ty * V + v];
            }
#pragma unroll
            for (int v = 0; v < V; v += 4) {
                *(float4 *)&b[v] = *(const float4 *)&sB[now][ki][tx * V + v];
            }
#pragma unroll
            for (int y = 0; y < V; y++) {
#pragma unroll
                for (int x = 0; x < V; x++) {
                    c[y][x] += a[y] * b[x];
                }
            }
        }
        if (ko + S < N) {                      // ... and put the loaded values into the other set
#pragma unroll
            for (int j = 0; j < SHARE; j++) {
                int e = tid + j * THREADS;
                sA[1 - now][e / L][e % L] = next_a[j];
                sB[1 - now][e / L][e % L] = next_b[j];
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
