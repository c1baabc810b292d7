// A ladder of single-precision matrix products, each step faster than the one before.
#include <cassert>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
const uint WARPSIZE = 32;

__global__ void gemm_plain(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const uint x = blockIdx.x * blockDim.x + threadIdx.x;
  const uint y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < M && y < N) {
    float acc = 0.0;
    for (int i = 0; i < K; ++i) {
      acc += A[x * K + i] * B[i * N + y];
    }
    C[x * N + y] = alpha * acc + beta * C[x * N + y];
  }
}

template <const uint TILE>
__global__ void gemm_coalesced(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const int row = blockIdx.x * TILE + (threadIdx.x / TILE);
  const int col = blockIdx.y * TILE + (threadIdx.x % TILE);
  if (row < M && col < N) {
    float acc = 0.0;
    for (int i = 0; i < K; ++i) acc += A[row * K + i] * B[i * N + col];
    C[row * N + col] = alpha * acc + beta * C[row * N + col];
  }
}

template <const int TILE>
__global__ void gemm_shared(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const uint blockRow = blockIdx.x, blockCol = blockIdx.y;
  __shared__ float As[TILE * TILE];
  __shared__ float Bs[TILE * TILE];
  const uint tc = threadIdx.x % TILE, tr = threadIdx.x / TILE;
  A += blockRow * TILE * K;
  B += blockCol * TILE;
  C += blockRow * TILE * N + blockCol * TILE;
  float acc = 0.0;
  for (int step = 0; step < K; step += TILE) {
    As[tr * TILE + tc] = A[tr * K + tc];
    Bs[tr * TILE + tc] = B[tr * N + tc];
    __syncthreads();
    A += TILE;
    B += TILE * N;
    for (int dot = 0; dot < TILE; ++dot) {
      acc += As[tr * TILE + dot] * Bs[dot * TILE + tc];
    }
    __syncthreads();
  }
  C[tr * N + tc] = alpha * acc + beta * C[tr * N + tc];
}

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    gemm_2d_tiles(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const uint cRow = blockIdx.y;
  const uint cCol = blockIdx.x;
  const uint resultsPerBlock = BM * BN;
  const uint threadsPerBlock = resultsPerBlock / (TM * TN);
  assert(threadsPerBlock == blockDim.x);
  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += cRow * BM * K;
  B += cCol * BN;
  C += cRow * BM * N + cCol * BN;
  const uint innerRowA = threadIdx.x / BK, innerColA = threadIdx.x % BK;
  const uint strideA = threadsPerBlock / BK;
  const uint innerRowB = threadIdx.x / BN, innerColB = threadIdx.x % BN;
  const uint strideB = threadsPerBlock / BN;
  float results[TM * TN] = {0.0};
  float regM[TM] = {0.0};
  float regN[TN] = {0.0};
  for (uint bk = 0; bk < K; bk += BK) {
    for (uint offset = 0; offset < BM; offset += strideA) {
      As[(innerRowA + offset) * BK + innerColA] = A[(innerRowA + offset) * K + innerColA];
    }
    for (uint offset = 0; offset < BK; offset += strideB) {
      Bs[(innerRowB + offset) * BN + innerColB] = B[(innerRowB + offset) * N + innerColB];
    }
    __syncthreads();
    A += BK;
    B += BK * N;
    for (uint dot = 0; dot < BK; ++dot) {
      for (uint i = 0; i < TM; ++i) regM[i] = As[(threadRow * TM + i) * BK + dot];
      for (uint i = 0; i < TN; ++i) regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (uint m = 0; m < TM; ++m) {
        for (uint n = 0; n < TN; ++n) {
          results[m * TN + n] += regM[m] * regN[n];
        }
      }
    }
    __syncthreads();
  }
  for (uint m = 0; m < TM; ++m) {
    for (uint n = 0; n < TN; ++n) {
      const uint at = (threadRow * TM + m) * N + threadCol * TN + n;
      C[at] = alpha * results[m * TN + n] + beta * C[at];
    }
  }
}

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void gemm_vectorised(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const uint rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4);
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4);
  const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
  float results[TM * TN] = {0.0};
  float regM[TM], regN[TN];
  for (uint bk = 0; bk < K; bk += BK) {
    float4 tmp = reinterpret_cast<float4 *>(&A[rowA * K + colA * 4])[0];
    As[(colA * 4 + 0) * BM + rowA] = tmp.x;
    As[(colA * 4 + 1) * BM + rowA] = tmp.y;
    As[(colA * 4 + 2) * BM + rowA] = tmp.z;
    As[(colA * 4 + 3) * BM + rowA] = tmp.w;
    reinterpret_cast<float4 *>(&Bs[rowB * BN + colB * 4])[0] = reinterpret_cast<float4 *>(&B[rowB * N + colB * 4])[0];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (uint dot = 0; dot < BK; ++dot) {
#pragma unroll
      for (uint i = 0; i < TM; ++i) regM[i] = As[dot * BM + threadRow * TM + i];
#pragma unroll
      for (uint i = 0; i < TN; ++i) regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (uint m = 0; m < TM; ++m)
        for (uint n = 0; n < TN; ++n) results[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }
  for (uint m = 0; m < TM; m += 1) {
    for (uint n = 0; n < TN; n += 4) {
      float4 tmp = reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0];
      tmp.x = alpha * results[m * TN + n] + beta * tmp.x;
      tmp.y = alpha * results[m * TN + n + 1] + beta * tmp.y;
      tmp.z = alpha * results[m * TN + n + 2] + beta * tmp.z;
      tmp.w = alpha * results[m * TN + n + 3] + beta * tmp.w;
      reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0] = tmp;
    }
  }
}

namespace wt {
template <const int BM, const int BN, const int BK, const int rowStrideA, const int rowStrideB>
__device__ void fromGlobal(int N, int K, const float *A, const float *B, float *As, float *Bs, int rowA, int colA,
                           int rowB, int colB) {
  for (uint offset = 0; offset + rowStrideA <= BM; offset += rowStrideA) {
    const float4 tmp = reinterpret_cast<const float4 *>(&A[(rowA + offset) * K + colA * 4])[0];
    As[(colA * 4 + 0) * BM + rowA + offset] = tmp.x;
    As[(colA * 4 + 1) * BM + rowA + offset] = tmp.y;
    As[(colA * 4 + 2) * BM + rowA + offset] = tmp.z;
    As[(colA * 4 + 3) * BM + rowA + offset] = tmp.w;
  }
  for (uint offset = 0; offset + rowStrideB <= BK; offset += rowStrideB) {
    reinterpret_cast<float4 *>(&Bs[(rowB + offset) * BN + colB * 4])[0] =
        reinterpret_cast<const float4 *>(&B[(rowB + offset) * N + colB * 4])[0];
  }
}

template <const int BM, const int BN, const int BK, const int WM, const int WN, const int WMITER, const int WNITER,
          const int WSUBM, const int WSUBN, const int TM, const int TN>
__device__ void fromShared(float *regM, float *regN, float *results, const float *As, const float *Bs,
                           const uint warpRow, const uint warpCol, const uint rowInWarp, const uint colInWarp) {
  for (uint dot = 0; dot < BK; ++dot) {
    for (uint sub = 0; sub < WMITER; ++sub)
      for (uint i = 0; i < TM; ++i)
        regM[sub * TM + i] = As[(dot * BM) + warpRow * WM + sub * WSUBM + rowInWarp * TM + i];
    for (uint sub = 0; sub < WNITER; ++sub)
      for (uint i = 0; i < TN; ++i)
        regN[sub * TN + i] = Bs[(dot * BN) + warpCol * WN + sub * WSUBN + colInWarp * TN + i];
    for (uint sm = 0; sm < WMITER; ++sm)
      for (uint sn = 0; sn < WNITER; ++sn)
        for (uint m = 0; m < TM; ++m)
          for (uint n = 0; n < TN; ++n)
            results[(sm * TM + m) * (WNITER * TN) + (sn * TN) + n] += regM[sm * TM + m] * regN[sn * TN + n];
  }
}
} // namespace wt

template <const int BM, const int BN, const int BK, const int WM, const int WN, const int WNITER, const int TM,
          const int TN, const int NUM_THREADS>
__global__ void __launch_bounds__(NUM_THREADS)
    gemm_warp_tiles(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  const uint warpIdx = threadIdx.x / WARPSIZE;
  const uint warpCol = warpIdx % (BN / WN), warpRow = warpIdx / (BN / WN);
  constexpr uint WMITER = (WM * WN) / (WARPSIZE * TM * TN * WNITER);
  constexpr uint WSUBM = WM / WMITER;
  constexpr uint WSUBN = WN / WNITER;
  const uint lane = threadIdx.x % WARPSIZE;
  const uint colInWarp = lane % (WSUBN / TN), rowInWarp = lane / (WSUBN / TN);
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;
  const uint innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
  constexpr uint rowStrideA = (NUM_THREADS * 4) / BK;
  const uint innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4);
  constexpr uint rowStrideB = NUM_THREADS / (BN / 4);
  float results[WMITER * TM * WNITER * TN] = {0.0};
  float regM[WMITER * TM] = {0.0};
  float regN[WNITER * TN] = {0.0};
  for (uint bk = 0; bk < K; bk += BK) {
    wt::fromGlobal<BM, BN, BK, rowStrideA, rowStrideB>(N, K, A, B, As, Bs, innerRowA, innerColA, innerRowB, innerColB);
    __syncthreads();
    wt::fromShared<BM, BN, BK, WM, WN, WMITER, WNITER, WSUBM, WSUBN, TM, TN>(regM, regN, results, As, Bs, warpRow,
                                                                            warpCol, rowInWarp, colInWarp);
    A += BK;
    B += BK * N;
    __syncthreads();
  }
  for (uint sm = 0; sm < WMITER; ++sm) {
    for (uint sn = 0; sn < WNITER; ++sn) {
      float *out = C + (sm * WSUBM) * N + sn * WSUBN;
      for (uint m = 0; m < TM; m += 1) {
        for (uint n = 0; n < TN; n += 4) {
          float4 tmp = reinterpret_cast<float4 *>(&out[(rowInWarp * TM + m) * N + colInWarp * TN + n])[0];
          const int i = (sm * TM + m) * (WNITER * TN) + sn * TN + n;
          tmp.x = alpha * results[i + 0] + beta * tmp.x;
          tmp.y = alpha * results[i + 1] + beta * tmp.y;
          tmp.z = alpha * results[i + 2] + beta * tmp.z;
          tmp.w = alpha * results[i + 3] + beta * tmp.w;
          reinterpret_cast<float4 *>(&out[(rowInWarp * TM + m) * N + colInWarp * TN + n])[0] = tmp;
        }
      }
    }
  }
}

void run(int M, int N, int K, float *A, float *B, float *C) {
  dim3 grid(CEIL_DIV(M, 32), CEIL_DIV(N, 32)), block(32, 32);
  gemm_plain<<<grid, block>>>(M, N, K, 1, A, B, 0, C);
  gemm_coalesced<32><<<grid, 32 * 32>>>(M, N, K, 1, A, B, 0, C);
  gemm_shared<32><<<grid, 32 * 32>>>(M, N, K, 1, A, B, 0, C);
  gemm_2d_tiles<64, 64, 8, 8, 8><<<dim3(CEIL_DIV(N, 64), CEIL_DIV(M, 64)), 64>>>(M, N, K, 1, A, B, 0, C);
  gemm_vectorised<64, 64, 8, 8, 8><<<grid, 64>>>(M, N, K, 1, A, B, 0, C);
  gemm_warp_tiles<128, 128, 16, 64, 64, 4, 8, 4, 128><<<grid, 128>>>(M, N, K, 1, A, B, 0, C);
}
