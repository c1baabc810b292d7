// Adds a bias to each column of a matrix and replaces negative numbers by 0.
__global__ void bias_relu(float *C, const float *bias, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N) {
        C[row * N + col] = fmaxf(C[row * N + col] + bias[col], 0.0f);
    }
}
