// Sums of arrays, from interleaved addressing to shuffles, in the style of the vendor's samples.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
namespace cg = cooperative_groups;

template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};

template <class T> __device__ __forceinline__ T warpSum(unsigned int mask, T sum) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(mask, sum, offset);
  }
  return sum;
}
#if __CUDA_ARCH__ >= 800
template <> __device__ __forceinline__ int warpSum<int>(unsigned int mask, int sum) {
  return __reduce_add_sync(mask, sum);
}
#endif

template <class T> __global__ void sum_modulo(T *in, T *out, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? in[i] : 0;
  cg::sync(cta);
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if ((tid % (2 * s)) == 0) {
      sdata[tid] += sdata[tid + s];
    }
    cg::sync(cta);
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

template <class T, unsigned int blockSize> __global__ void sum_unrolled(const T *in, T *out, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  T mySum = (i < n) ? in[i] : 0;
  if (i + blockSize < n) mySum += in[i + blockSize];
  sdata[tid] = mySum;
  cg::sync(cta);
  if ((blockSize >= 512) && (tid < 256)) sdata[tid] = mySum = mySum + sdata[tid + 256];
  cg::sync(cta);
  if ((blockSize >= 256) && (tid < 128)) sdata[tid] = mySum = mySum + sdata[tid + 128];
  cg::sync(cta);
  if ((blockSize >= 128) && (tid < 64)) sdata[tid] = mySum = mySum + sdata[tid + 64];
  cg::sync(cta);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2) {
      mySum += tile32.shfl_down(mySum, offset);
    }
  }
  if (cta.thread_rank() == 0) out[blockIdx.x] = mySum;
}

template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void sum_grid_stride(const T *__restrict__ in, T *__restrict__ out, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x, maskLength = (blockSize & 31);
  maskLength = (maskLength > 0) ? (32 - maskLength) : maskLength;
  const unsigned int mask = (0xffffffff) >> maskLength;
  T mySum = 0;
  if (nIsPow2) {
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    gridSize = gridSize << 1;
    while (i < n) {
      mySum += in[i];
      if ((i + blockSize) < n) mySum += in[i + blockSize];
      i += gridSize;
    }
  } else {
    unsigned int i = blockIdx.x * blockSize + threadIdx.x;
    while (i < n) {
      mySum += in[i];
      i += gridSize;
    }
  }
  mySum = warpSum<T>(mask, mySum);
  if ((tid % warpSize) == 0) sdata[tid / warpSize] = mySum;
  __syncthreads();
  const unsigned int shmem_extent = (blockSize / warpSize) > 0 ? (blockSize / warpSize) : 1;
  const unsigned int ballot_result = __ballot_sync(mask, tid < shmem_extent);
  if (tid < shmem_extent) {
    mySum = sdata[tid];
    mySum = warpSum<T>(ballot_result, mySum);
  }
  if (tid == 0) out[blockIdx.x] = mySum;
}

__device__ unsigned int retirementCount = 0;

template <unsigned int blockSize>
__global__ void sum_single_pass(const float *in, float *out, unsigned int n) {
  __shared__ float smem[blockSize];
  __shared__ bool amLast;
  const unsigned int tid = threadIdx.x;
  float s = 0.f;
  for (unsigned int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) s += in[i];
  smem[tid] = s;
  __syncthreads();
#pragma unroll
  for (unsigned int k = blockSize / 2; k > 0; k >>= 1) {
    if (tid < k) smem[tid] += smem[tid + k];
    __syncthreads();
  }
  if (tid == 0) {
    out[blockIdx.x] = smem[0];
    __threadfence();
    unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
    amLast = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (amLast) {
    volatile float *partial = out;
    float total = 0;
    for (unsigned int i = tid; i < gridDim.x; i += blockSize) total += partial[i];
    smem[tid] = total;
    __syncthreads();
    for (unsigned int k = blockSize / 2; k > 0; k >>= 1) {
      if (tid < k) smem[tid] += smem[tid + k];
      __syncthreads();
    }
    if (tid == 0) {
      out[0] = smem[0];
      retirementCount = 0;
    }
  }
}

__device__ int group_sum(cg::thread_group g, int *temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i) val += temp[lane + i];
    g.sync();
  }
  return val;
}
__global__ void sum_by_group(int *sum, const int *input, int n) {
  extern __shared__ int temp[];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    int4 in = ((int4 *)input)[i];
    mine += in.x + in.y + in.z + in.w;
  }
  auto g = cg::this_thread_block();
  int total = group_sum(g, temp, mine);
  if (g.thread_rank() == 0) atomicAdd(sum, total);
}

template <int tile_sz> __device__ int tile_sum(cg::thread_block_tile<tile_sz> g, int val) {
  for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
  return val;
}
template <int tile_sz> __global__ void sum_by_tile(int *sum, int *input, int n) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += input[i];
  auto tile = cg::tiled_partition<tile_sz>(cg::this_thread_block());
  int total = tile_sum<tile_sz>(tile, mine);
  if (tile.thread_rank() == 0) atomicAdd(sum, total);
}

__global__ void sum_library(float *sum, const float *input, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float v = 0.0f;
  for (int i = block.group_index().x * blockDim.x + block.thread_rank(); i < n; i += gridDim.x * block.size()) v += input[i];
  v = cg::reduce(warp, v, cg::plus<float>{});
  float top = cg::reduce(warp, v, cg::greater<float>());
  if (warp.thread_rank() == 0 && top >= v) atomicAdd(sum, v);
}

__global__ void filter_aggregated(int *dst, int *nres, const int *src, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (src[i] > 0) {
    auto g = cg::coalesced_threads();
    int warp_res;
    if (g.thread_rank() == 0) warp_res = atomicAdd(nres, g.size());
    dst[g.shfl(warp_res, 0) + g.thread_rank()] = src[i];
  }
}

template <class T> void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata) {
  switch (whichKernel) {
  case 0: sum_modulo<T><<<blocks, threads>>>(d_idata, d_odata, size); break;
  }
}
int main(int argc, char **argv) {
  reduce<int>(1 << 20, 256, 64, 0, nullptr, nullptr);
  sum_unrolled<float, 256><<<64, 256, 1024>>>(nullptr, nullptr, 0);
  sum_modulo<int><<<1, 1>>>(nullptr, nullptr, 0);
  sum_grid_stride<double, 128, true><<<64, 128, 512>>>(nullptr, nullptr, 0);
  sum_single_pass<128><<<8, 128>>>(nullptr, nullptr, 0);
  sum_by_tile<16><<<8, 128>>>(nullptr, nullptr, 0);
  printf("%d\n", argc);
  return 0;
}
