// The running sums of all numbers in one launch (decoupled look-back): a block scans its tile, says
// what the tile adds up to, and looks back over the tiles before it: over totals, until it meets a
// tile that knows the sum from the beginning. A warp looks at 32 tiles at once.
// in holds 4 ITEMS BLOCK numbers for each block. state (a word a tile) and next[0] start at 0.
#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef ITEMS
#define ITEMS 8
#endif
#define TOTAL 1ULL         // the low half of a word: the tile's own total stands in the high half
#define PREFIX 2ULL        // ... or the sum of everything up to and with this tile

__device__ unsigned long long packed(float sum, unsigned long long what) {
    return ((unsigned long long)__float_as_uint(sum) << 32) | what;
}

__global__ void scan_lookback(const float *in, float *out, unsigned long long *state, unsigned int *next) {
    __shared__ float of_warps[BLOCK / 32];
    __shared__ float before_tile;
    __shared__ int tile_of_block;
    int tid = threadIdx.x;
    int lane = tid % 32;
    if (tid == 0) {
        tile_of_block = atomicAdd(next, 1);    // tiles in the order in which blocks start: none waits
    }                                          // for a block that has no place yet
    __syncthreads();
    int tile = tile_of_block;
    int i = tile * (BLOCK * ITEMS) + tid / 32 * (32 * ITEMS) + lane;    // a warp's float4 lie side by side
    float4 v[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        v[k] = ((const float4 *)in)[i + 32 * k];
    }
    float base[ITEMS];                         // what comes before v[k] in the warp's stretch
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        v[k].y += v[k].x;
        v[k].z += v[k].y;
        v[k].w += v[k].z;
        float upto = v[k].w;
        for (int d = 1; d < 32; d *= 2) {
            float before = __shfl_up_sync(0xffffffff, upto, d);
            if (lane >= d) {
                upto += before;
            }
        }
        base[k] = sum + upto - v[k].w;
        sum += __shfl_sync(0xffffffff, upto, 31);
    }
    if (lane == 0) {
        of_warps[tid / 32] = sum;
    }
    __syncthreads();
    if (tid < 32) {                            // the first warp: the tile's total, then the look back
        float total = 0.0f;
        for (int w = 0; w < BLOCK / 32; w++) {
            total += of_warps[w];
        }
        float prefix = 0.0f;
        if (tile > 0) {
            if (lane == 0) {
                atomicExch(&state[tile], packed(total, TOTAL));
            }
            for (int end = tile; end > 0; end -= 32) {
                int at = end - 1 - lane;       // lane 0 looks at the nearest tile
                unsigned long long word = PREFIX;
                if (at >= 0) {
                    do {
                        word = atomicAdd(&state[at], 0ULL);
                    } while (word == 0);
                }
                unsigned int known = __ballot_sync(0xffffffff, (word & 3) == PREFIX);
                int nearest = __ffs(known) - 1;    // the first lane whose tile knows all before it; -1: none
                float part = nearest < 0 || lane <= nearest ? __uint_as_float((unsigned int)(word >> 32)) : 0.0f;
                for (int d = 16; d > 0; d /= 2) {
                    part += __shfl_xor_sync(0xffffffff, part, d);
                }
                prefix += part;
                if (known != 0) {
                    break;
                }
            }
        }
        if (lane == 0) {
            atomicExch(&state[tile], packed(prefix + total, PREFIX));
            before_tile = prefix;
        }
    }
    __syncthreads();
    float before_warp = before_tile;
    for (int w = 0; w < tid / 32; w++) {
        before_warp += of_warps[w];
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        float b = before_warp + base[k];
        ((float4 *)out)[i + 32 * k] = make_float4(b + v[k].x, b + v[k].y, b + v[k].z, b + v[k].w);
    }
}
