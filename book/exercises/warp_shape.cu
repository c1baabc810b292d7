// out[x][y] = in[y][x]: 256 threads in a row transpose
// a piece of 32 x 32 elements in four rounds.
__global__ void transpose(const float *in, float *out, int rows, int cols) {
    for (int k = threadIdx.x; k < 1024; k += 256) {
//@ starter
        // Your code: which of the 32 x 32 elements is number k?
        int x = blockIdx.x * 32 + k % 32;
        int y = blockIdx.y * 32 + k / 32;
//@ solution
        int x = blockIdx.x * 32 + k / 256 * 8 + k % 8;
        int y = blockIdx.y * 32 + k % 256 / 8;
//@ wrong other-side: global_load_sectors_per_request
        int x = blockIdx.x * 32 + k / 32;
        int y = blockIdx.y * 32 + k % 32;
//@ wrong out-of-the-piece: results
        int x = blockIdx.x * 32 + k % 8;
        int y = blockIdx.y * 32 + k / 8 % 32;
//@ end
//@ wrong no-guard: runs
        out[x * rows + y] = in[y * cols + x];
//@ starter
        if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
//@ solution
        if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
//@ end
    }
}
