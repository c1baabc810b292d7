// C = A^T B (A is stored K x N): a thread computes V x
// V elements, so each loaded element is used V times.
// Operands come straight from global memory.
#ifndef V
#define V 4
#endif

__global__ void matmul_register(const float *A, const float *B, float *C, int N) {
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * V;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * V;
    float c[V][V] = {};
    float a[V];
    float b[V];
    for (int k = 0; k < N; k++) {
#pragma unroll
        for (int v = 0; v < V; v++) {
            a[v] = A[k * N + row + v];
        }
#pragma unroll
        for (int v = 0; v < V; v++) {
            b[v] = B[k * N + col + v];
        }
#pragma unroll
        for (int y = 0; y < V; y++) {
#pragma unroll
            for (int x = 0; x < V; x++) {
                c[y][x] += a[y] * b[x];
            }
        }
    }
#pragma unroll
    for (int y = 0; y < V; y++) {
#pragma unroll
        for (int x = 0; x < V; x++) {
            C[(row + y) * N + col + x] = c[y][x];
        }
    }
}
