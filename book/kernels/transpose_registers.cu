// Transpose without shared memory: a thread turns 4 x 4 elements in its registers.
// It reads four float4 along rows and writes four float4 along columns; two threads
// fill a sector. 8 x 32 threads a block; rows are multiples of 128, cols of 32.
__global__ void transpose_registers(const float *in, float *out, int rows, int cols) {
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;    // first column of in
    int y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;    // first row of in
    float4 a = *(const float4 *)&in[y * cols + x];
    float4 b = *(const float4 *)&in[(y + 1) * cols + x];
    float4 c = *(const float4 *)&in[(y + 2) * cols + x];
    float4 d = *(const float4 *)&in[(y + 3) * cols + x];
    *(float4 *)&out[x * rows + y] = make_float4(a.x, b.x, c.x, d.x);
    *(float4 *)&out[(x + 1) * rows + y] = make_float4(a.y, b.y, c.y, d.y);
    *(float4 *)&out[(x + 2) * rows + y] = make_float4(a.z, b.z, c.z, d.z);
    *(float4 *)&out[(x + 3) * rows + y] = make_float4(a.w, b.w, c.w, d.w);
}
