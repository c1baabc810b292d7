// Doubles `pieces` pieces of 64 numbers; launched with blocks of 64 threads.
__global__ void any_grid(float *a, int pieces) {
//@ starter
    int piece = blockIdx.x;                      // your code: more than one piece a block
    a[64 * piece + threadIdx.x] *= 2.0f;
//@ solution
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        a[64 * piece + threadIdx.x] *= 2.0f;
    }
//@ wrong all-by-everyone: reports
    for (int piece = 0; piece < pieces; piece++) {
        a[64 * piece + threadIdx.x] *= 2.0f;
    }
//@ wrong two-each: results
    for (int piece = blockIdx.x; piece < pieces && piece < 2 * gridDim.x; piece += gridDim.x) {
        a[64 * piece + threadIdx.x] *= 2.0f;
    }
//@ wrong one-lane: global_load_requests
    for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        for (int k = 0; k < 64 && threadIdx.x == 0; k++) {
            a[64 * piece + k] *= 2.0f;
        }
    }
//@ end
}
