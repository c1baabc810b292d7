// c = a b, four elements a thread: one vector load
// fills four registers, as a SIMD instruction would.
__global__ void multiply_vec4(const float4 *a, const float4 *b, float4 *c, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        float4 u = a[i];
        float4 v = b[i];
        float4 w;
        w.x = u.x * v.x;
        w.y = u.y * v.y;
        w.z = u.z * v.z;
        w.w = u.w * v.w;
        c[i] = w;
    }
}
