// Attention in one kernel, its scores never in memory: a block takes ROWS queries and walks over the
// keys and values, 64 at a time. For each row it keeps the largest score so far, the sum of the
// exponentials, and the output so far; all three shrink where a larger score comes (online softmax).
// 16 x 16 threads a block. Thread (tx, ty) has the queries ty, ty + 16, ...; of each the scores of the
// keys 4 tx ... 4 tx + 3, and as many outputs. N is a multiple of 64 and of ROWS, which is 64 at most.
#ifndef ROWS
#define ROWS 64
#endif
#define EACH (ROWS / 16)   // queries a thread

__global__ void attention_tiled(const float *Q, const float *K, const float *V, float *O, int N) {
    __shared__ float4 sQ[ROWS][16];
    __shared__ float4 sK[64][16];              // keys, their columns mixed with the row (xor); then weights
    __shared__ float4 sV[64][16];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    float largest[EACH];
    float sum[EACH] = {};
    float o[EACH][4] = {};
#pragma unroll
    for (int y = 0; y < EACH; y++) {
        largest[y] = -1e30f;                 // below any score
        sQ[ty + 16 * y][tx] = ((const float4 *)Q)[(blockIdx.x * ROWS + ty + 16 * y) * 16 + tx];
    }
    for (int ko = 0; ko < N; ko += 64) {
#pragma unroll
        for (int k = ty; k < 64; k += 16) {
            sK[k][tx ^ (k / 4)] = ((const float4 *)K)[(ko + k) * 16 + tx];
            sV[k][tx] = ((const float4 *)V)[(ko + k) * 16 + tx];
        }
        __syncthreads();
        float s[EACH][4] = {};
#pragma unroll 4
        for (int d = 0; d < 16; d++) {
            float4 q[EACH];
            float4 k[4];
#pragma unroll
            for (int y = 0; y < EACH; y++) {
                q[y] = sQ[ty + 16 * y][d];
            }
#pragma unroll
            for (int x = 0; x < 4; x++) {
                k[x] = sK[4 * tx + x][d ^ tx];
            }
#pragma unroll
            for (int y = 0; y < EACH; y++) {
#pragma unroll
                for (int x = 0; x < 4; x++) {
                    s[y][x] += q[y].x * k[x].x + q[y].y * k[x].y + q[y].z * k[x].z + q[y].w * k[x].w;
                }
            }
        }
        __syncthreads();                       // nobody needs the keys any more: weights take their place
#pragma unroll
        for (int y = 0; y < EACH; y++) {
            float now = largest[y];
#pragma unroll
            for (int x = 0; x < 4; x++) {
                s[y][x] *= 0.125f;
                now = fmaxf(now, s[y][x]);
            }
            for (int d = 8; d > 0; d /= 2) {
                now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, d));
            }
            float shrink = expf(largest[y] - now);
            largest[y] = now;
            sum[y] *= shrink;
#pragma unroll
            for (int x = 0; x < 4; x++) {
                o[y][x] *= shrink;
                s[y][x] = expf(s[y][x] - now);
                sum[y] += s[y][x];             // of this lane's keys: the lanes' sums are added at the end
            }
            sK[ty + 16 * y][tx] = make_float4(s[y][0], s[y][1], s[y][2], s[y][3]);
        }
        __syncwarp();                          // a row's weights come from lanes of one warp
#pragma unroll 4
        for (int k = 0; k < 16; k++) {
            float4 p[EACH];
#pragma unroll
            for (int y = 0; y < EACH; y++) {
                p[y] = sK[ty + 16 * y][k];
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float4 v = sV[4 * k + j][tx];
#pragma unroll
                for (int y = 0; y < EACH; y++) {
                    float weight = j == 0 ? p[y].x : j == 1 ? p[y].y : j == 2 ? p[y].z : p[y].w;
                    o[y][0] += weight * v.x;
                    o[y][1] += weight * v.y;
                    o[y][2] += weight * v.z;
                    o[y][3] += weight * v.w;
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < EACH; y++) {
        for (int d = 8; d > 0; d /= 2) {
            sum[y] += __shfl_xor_sync(0xffffffff, sum[y], d);
        }
        float scale = 1.0f / sum[y];
        ((float4 *)O)[(blockIdx.x * ROWS + ty + 16 * y) * 16 + tx] =
            make_float4(o[y][0] * scale, o[y][1] * scale, o[y][2] * scale, o[y][3] * scale);
    }
}
