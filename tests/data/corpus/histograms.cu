// Histograms: global atomics, privatised, aggregated, packed bytes.
#include <stdint.h>
#define NUM_BINS 7
#define HISTOGRAM64_BIN_COUNT 64
#define TAG_MASK (0x07FFFFFFU)
typedef unsigned int uint;
typedef unsigned char uchar;

__global__ void histo_kernel(char *data, unsigned int length, unsigned int *histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int alphabet_position = data[i] - 'a';
    if (alphabet_position >= 0 && alphabet_position < 26) atomicAdd(&(histo[alphabet_position / 4]), 1);
  }
}
__global__ void histo_private_kernel(char *data, unsigned int length, unsigned int *histo) {
  __shared__ unsigned int histo_s[NUM_BINS];
  for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) histo_s[bin] = 0u;
  __syncthreads();
  unsigned int accumulator = 0;
  int prevBinIdx = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    int position = data[i] - 'a';
    if (position >= 0 && position < 26) {
      int bin = position / 4;
      if (bin == prevBinIdx) ++accumulator;
      else {
        if (accumulator > 0) atomicAdd(&(histo_s[prevBinIdx]), accumulator);
        accumulator = 1;
        prevBinIdx = bin;
      }
    }
  }
  if (accumulator > 0) atomicAdd(&(histo_s[prevBinIdx]), accumulator);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
    unsigned int binValue = histo_s[bin];
    if (binValue > 0) atomicAdd(&(histo[bin]), binValue);
  }
}

inline __device__ void addByte(uchar *s_ThreadBase, uint data) { s_ThreadBase[data * 32]++; }
inline __device__ void addWord(uchar *s_ThreadBase, uint data) {
  addByte(s_ThreadBase, (data >> 2) & 0x3FU);
  addByte(s_ThreadBase, (data >> 10) & 0x3FU);
  addByte(s_ThreadBase, (data >> 18) & 0x3FU);
  addByte(s_ThreadBase, (data >> 26) & 0x3FU);
}
__global__ void histogram64Kernel(uint *d_PartialHistograms, uint4 *d_Data, uint dataCount) {
  __shared__ uchar s_Hist[32 * HISTOGRAM64_BIN_COUNT];
  uchar *s_ThreadBase = s_Hist + threadIdx.x;
#pragma unroll
  for (uint i = 0; i < (HISTOGRAM64_BIN_COUNT / 4); i++) ((uint *)s_Hist)[threadIdx.x + i * 32] = 0;
  __syncthreads();
  for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < dataCount; pos += blockDim.x * gridDim.x) {
    uint4 data = d_Data[pos];
    addWord(s_ThreadBase, data.x);
    addWord(s_ThreadBase, data.y);
    addWord(s_ThreadBase, data.z);
    addWord(s_ThreadBase, data.w);
  }
  __syncthreads();
  if (threadIdx.x < HISTOGRAM64_BIN_COUNT) {
    uchar *s_HistBase = s_Hist + threadIdx.x * 32;
    uint sum = 0;
    for (uint i = 0, pos = 4 * (threadIdx.x & 7); i < 8; i++) {
      sum += s_HistBase[pos + 0] + s_HistBase[pos + 1] + s_HistBase[pos + 2] + s_HistBase[pos + 3];
      pos = (pos + 4) & 31;
    }
    d_PartialHistograms[blockIdx.x * HISTOGRAM64_BIN_COUNT + threadIdx.x] = sum;
  }
}
__global__ void warp_aggregated(const uint8_t *keys, uint32_t *bins, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    const uint8_t key = keys[i];
    const unsigned peers = __match_any_sync(__activemask(), key);
    const int leader = __ffs(peers) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(bins + key, __popc(peers));
  }
}
