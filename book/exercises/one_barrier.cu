// C = A B through 16 x 16 tiles; N need not be a multiple of 16.
__global__ void multiply(const float *A, const float *B, float *C, int N) {
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
//@ starter
    // Your code: two sets of tiles, and one barrier a phase.
    __shared__ float As[16][16], Bs[16][16];
    for (int at = 0; at < N; at += 16) {
        As[ty][tx] = row < N && at + tx < N ? A[row * N + at + tx] : 0.0f;
        Bs[ty][tx] = at + ty < N && col < N ? B[(at + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
//@ solution
    __shared__ float As[2][16][16], Bs[2][16][16];
    for (int at = 0; at < N; at += 16) {
        int now = at / 16 % 2;
        As[now][ty][tx] = row < N && at + tx < N ? A[row * N + at + tx] : 0.0f;
        Bs[now][ty][tx] = at + ty < N && col < N ? B[(at + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[now][ty][k] * Bs[now][k][tx];
        }
    }
//@ wrong one-set: reports
    __shared__ float As[16][16], Bs[16][16];
    for (int at = 0; at < N; at += 16) {
        As[ty][tx] = row < N && at + tx < N ? A[row * N + at + tx] : 0.0f;
        Bs[ty][tx] = at + ty < N && col < N ? B[(at + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[ty][k] * Bs[k][tx];
        }
    }
//@ wrong barrier-last: reports
    __shared__ float As[2][16][16], Bs[2][16][16];
    for (int at = 0; at < N; at += 16) {
        int now = at / 16 % 2;
        As[now][ty][tx] = row < N && at + tx < N ? A[row * N + at + tx] : 0.0f;
        Bs[now][ty][tx] = at + ty < N && col < N ? B[(at + ty) * N + col] : 0.0f;
        for (int k = 0; k < 16; k++) {
            sum += As[now][ty][k] * Bs[now][k][tx];
        }
        __syncthreads();
    }
//@ wrong both-barriers: barriers
    __shared__ float As[2][16][16], Bs[2][16][16];
    for (int at = 0; at < N; at += 16) {
        int now = at / 16 % 2;
        As[now][ty][tx] = row < N && at + tx < N ? A[row * N + at + tx] : 0.0f;
        Bs[now][ty][tx] = at + ty < N && col < N ? B[(at + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[now][ty][k] * Bs[now][k][tx];
        }
        __syncthreads();
    }
//@ end
    if (row < N && col < N) {
        C[row * N + col] = sum;
    }
}
