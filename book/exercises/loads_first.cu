// Sums four numbers a thread: in[i], in[i + n], in[i + 2 n], in[i + 3 n].
__global__ void sum_four(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
//@ starter
        float sum = in[i];                     // your code: load first, add afterwards
        out[i] = sum;
        sum = out[i] + in[i + n];
        out[i] = sum;
        sum = out[i] + in[i + 2 * n];
        out[i] = sum;
        sum = out[i] + in[i + 3 * n];
        out[i] = sum;
//@ solution
        float a = in[i];
        float b = in[i + n];
        float c = in[i + 2 * n];
        float d = in[i + 3 * n];
        out[i] = a + b + c + d;
//@ wrong one-missing: results
        float a = in[i];
        float b = in[i + n];
        float c = in[i + 2 * n];
        out[i] = a + b + c + c;
//@ wrong through-memory: global_store_requests
        float a = in[i];
        float b = in[i + n];
        out[i] = a + b;
        float c = in[i + 2 * n];
        float d = in[i + 3 * n];
        out[i] += c + d;
//@ wrong neighbours: results
        int j = 4 * i;
        out[i] = in[j] + in[j + 1] + in[j + 2] + in[j + 3];
//@ end
    }
}
