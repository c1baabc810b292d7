// Attention, second of three kernels: each row of scores becomes weights that add up to 1, in place.
// A block a row, three walks over it: the largest score, the sum of exp(score - largest), the weights.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void attention_softmax(float *S, int N) {
    __shared__ float part[BLOCK];
    int tid = threadIdx.x;
    float *row = S + blockIdx.x * N;
    float largest = -1e30f;             // below any score
    for (int i = tid; i < N; i += BLOCK) {
        largest = fmaxf(largest, row[i]);
    }
    part[tid] = largest;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) {
            part[tid] = fmaxf(part[tid], part[tid + s]);
        }
        __syncthreads();
    }
    largest = part[0];
    __syncthreads();                           // all have read it before part serves again
    float sum = 0.0f;
    for (int i = tid; i < N; i += BLOCK) {
        sum += expf(row[i] - largest);
    }
    part[tid] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) {
            part[tid] += part[tid + s];
        }
        __syncthreads();
    }
    float scale = 1.0f / part[0];
    for (int i = tid; i < N; i += BLOCK) {
        row[i] = expf(row[i] - largest) * scale;
    }
}
