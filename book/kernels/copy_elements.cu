// Strided and shifted copy of elements of 4 (float), 8 (float2) or 16 bytes (float4).
#ifndef ELEMENT
#define ELEMENT float
#endif

__global__ void copy_elements(const ELEMENT *in, ELEMENT *out, int n, int stride, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i * stride + offset];
    }
}
