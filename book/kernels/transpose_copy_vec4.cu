// The yardstick of a transpose in its best form: the same bytes, not turned,
// four float4 a thread, all loads first.
// 16 x 16 threads a block; rows and cols are multiples of 64.
__global__ void transpose_copy_vec4(const float *in, float *out, int rows, int cols) {
    int x = blockIdx.x * 64 + 4 * threadIdx.x;    // first column
    int y = blockIdx.y * 64 + threadIdx.y;        // row
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = *(const float4 *)&in[(y + 16 * k) * cols + x];
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        *(float4 *)&out[(y + 16 * k) * cols + x] = v[k];
    }
}
