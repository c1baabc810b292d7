// attention_softmax with two walks instead of three: the largest score and the sum of exponentials
// together. Where a larger score comes, the sum so far shrinks by exp(old largest - new largest).
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void attention_online(float *S, int N) {
    __shared__ float part[BLOCK];
    __shared__ float sums[BLOCK];
    int tid = threadIdx.x;
    float *row = S + blockIdx.x * N;
    float largest = row[tid];
    float sum = 1.0f;
    for (int i = tid + BLOCK; i < N; i += BLOCK) {
        float score = row[i];
        float now = fmaxf(largest, score);
        sum = sum * expf(largest - now) + expf(score - now);
        largest = now;
    }
    part[tid] = largest;
    sums[tid] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) {
            float now = fmaxf(part[tid], part[tid + s]);
            sums[tid] = sums[tid] * expf(part[tid] - now) + sums[tid + s] * expf(part[tid + s] - now);
            part[tid] = now;
        }
        __syncthreads();
    }
    largest = part[0];
    float scale = 1.0f / sums[0];
    for (int i = tid; i < N; i += BLOCK) {
        row[i] = expf(row[i] - largest) * scale;
    }
}
