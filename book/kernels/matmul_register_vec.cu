// matmul_register with float4 loads and stores: four
// neighbouring floats an instruction. V is a multiple of 4.
#ifndef V
#define V 4
#endif

__global__ void matmul_register_vec(const float *A, const float *B, float *C, int N) {
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * V;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * V;
    float c[V][V] = {};
    float a[V];
    float b[V];
    for (int k = 0; k < N; k++) {
#pragma unroll
        for (int v = 0; v < V; v += 4) {
            *(float4 *)&a[v] = *(const float4 *)&A[k * N + row + v];
        }
#pragma unroll
        for (int v = 0; v < V; v += 4) {
            *(float4 *)&b[v] = *(const float4 *)&B[k * N + col + v];
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
        for (int x = 0; x < V; x += 4) {
            *(float4 *)&C[(row + y) * N + col + x] = *(float4 *)&c[y][x];
        }
    }
}
