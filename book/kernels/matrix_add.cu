// C = A + B for matrices of Ny rows and Nx columns;
// the guard sends the threads beyond the edge away.
__global__ void matrix_add(const float *A, const float *B, float *C, int Nx, int Ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;    // column
    int j = blockIdx.y * blockDim.y + threadIdx.y;    // row
    if (i < Nx && j < Ny) {
        C[j * Nx + i] = A[j * Nx + i] + B[j * Nx + i];
    }
}
