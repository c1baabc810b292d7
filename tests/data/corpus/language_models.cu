// Layers of a small language model: norms, softmax, attention, losses, the optimiser.
#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "common.h"
#define ENABLE_BF16 0
#define GELU_SCALING_FACTOR sqrtf(2.0f / M_PI)
#define WARP_SIZE 32U
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

template <class ElementType> struct alignas(16) Packed128 {
  Packed128() = default;
  __device__ ElementType &operator[](int index) { return payload[index]; }
  __device__ const ElementType &operator[](int index) const { return payload[index]; }
  static constexpr const size_t size = sizeof(int4) / sizeof(ElementType);
  ElementType payload[size];
};
typedef Packed128<float> f128;

template <class T> __device__ inline T ceil_div(T dividend, T divisor) { return (dividend + divisor - 1) / divisor; }
__device__ inline float4 add_float4(const float4 &a, const float4 &b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
  return val;
}
__device__ float warpReduceMax(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
  return val;
}
using reduction_func_t = float (*)(float);

__global__ void encoder_forward_kernel3(float4 *out, const int *inp, const float4 *wte, const float4 *wpe, int B, int T, int C) {
  int C4 = C / 4;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int N = B * T * C4;
  if (idx < N) {
    int bt = idx / C4;
    int b = bt / T;
    int t = bt % T;
    int c4 = idx % C4;
    int ix = inp[b * T + t];
    out[b * T * C4 + t * C4 + c4] = add_float4(wte[ix * C4 + c4], wpe[t * C4 + c4]);
  }
}
__global__ void layernorm_forward_kernel3(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd,
                                          const float *__restrict__ inp, const float *__restrict__ weight,
                                          const float *__restrict__ bias, int N, int C) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (idx >= N) { return; }
  const float *x = inp + idx * C;
  float sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) { sum += x[i]; }
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float m = sum / C;
  if (warp.thread_rank() == 0 && mean != nullptr) { __stcs(mean + idx, m); }
  sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) {
    float diff = x[i] - m;
    sum += diff * diff;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float s = rsqrtf(sum / C + 1e-5f);
  if (warp.thread_rank() == 0 && rstd != nullptr) { __stcs(rstd + idx, s); }
  float *o = out + idx * C;
  for (int c = warp.thread_rank(); c < C; c += warp.size()) {
    float n = s * (__ldcs(x + c) - m);
    __stcs(o + c, n * weight[c] + bias[c]);
  }
}
__device__ float &vec_at(float4 &vec, int index) { return reinterpret_cast<float *>(&vec)[index]; }
__device__ float vec_at(const float4 &vec, int index) { return reinterpret_cast<const float *>(&vec)[index]; }

__global__ void softmax_forward_kernel5(float *out, float inv_temperature, const float *inp, int N, int T) {
  assert(T % 4 == 0);
  int lane = threadIdx.x % 32, warp_id = threadIdx.x / 32, num_warps = blockDim.x / 32;
  int idx = (gridDim.x - blockIdx.x - 1) * num_warps + warp_id;
  if (idx >= N * T) { return; }
  int own_pos = idx % T;
  int pos_by_4 = own_pos / 4;
  const float *x = inp + idx * T;
  float maxval = -FLT_MAX;
  float sumval = 0.0f;
  const float4 *x_vec = reinterpret_cast<const float4 *>(x);
  for (int i = lane; i < pos_by_4; i += 32) {
    float4 v = x_vec[i];
    float old_maxval = maxval;
    for (int k = 0; k < 4; ++k) { maxval = fmaxf(maxval, vec_at(v, k)); }
    sumval *= expf(inv_temperature * (old_maxval - maxval));
    for (int k = 0; k < 4; ++k) { sumval += expf(inv_temperature * (vec_at(v, k) - maxval)); }
  }
  float global_maxval = warpReduceMax(maxval);
  sumval *= expf(inv_temperature * (maxval - global_maxval));
  float sum = warpReduceSum(sumval);
  float norm = 1.f / sum;
  for (int i = lane; i <= own_pos; i += 32) {
    float ev = expf(inv_temperature * (__ldcs(x + i) - global_maxval));
    __stcs(out + idx * T + i, ev * norm);
  }
}
struct __align__(8) MD { float m; float d; };
__device__ __forceinline__ MD reduce_md_op(MD a, MD b) {
  bool a_bigger = (a.m > b.m);
  MD bigger_m = a_bigger ? a : b;
  MD smaller_m = a_bigger ? b : a;
  MD res;
  res.d = bigger_m.d + smaller_m.d * __expf(smaller_m.m - bigger_m.m);
  res.m = bigger_m.m;
  return res;
}
template <int THREADBLOCK_SIZE>
__launch_bounds__(THREADBLOCK_SIZE) __global__ void online_softmax(const float *__restrict x, float *__restrict y, int V) {
  const int thread_id = threadIdx.x, vector_id = blockIdx.x;
  x += vector_id * V;
  y += vector_id * V;
  __shared__ MD partials[THREADBLOCK_SIZE];
  MD md_partial;
  md_partial.m = -FLT_MAX;
  md_partial.d = 0.0F;
  for (int elem_id = thread_id; elem_id < V; elem_id += THREADBLOCK_SIZE) {
    MD new_elem;
    new_elem.m = x[elem_id];
    new_elem.d = 1.0F;
    md_partial = reduce_md_op(md_partial, new_elem);
  }
  partials[thread_id] = md_partial;
  __syncthreads();
  for (int s = THREADBLOCK_SIZE / 2; s > 0; s >>= 1) {
    if (thread_id < s) partials[thread_id] = reduce_md_op(partials[thread_id], partials[thread_id + s]);
    __syncthreads();
  }
  MD total = partials[0];
  float d_total_inverse = __fdividef(1.0F, total.d);
  for (int e = thread_id; e < V; e += THREADBLOCK_SIZE) y[e] = __expf(x[e] - total.m) * d_total_inverse;
}
__global__ void gelu_forward_kernel2(float *out, const float *inp, int N) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * f128::size;
  if (i < N) {
    f128 packed_out;
    f128 packed_inp = *reinterpret_cast<const f128 *>(inp + i);
    for (int k = 0; k < packed_inp.size; ++k) {
      float xi = (float)packed_inp[k];
      float cube = 0.044715f * xi * xi * xi;
      packed_out[k] = (float)(0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube))));
    }
    *reinterpret_cast<f128 *>(out + i) = packed_out;
  }
}
__global__ void flash_forward(const float *Q, const float *K, const float *V, const int N, const int d, const int Tc,
                              const int Tr, const int Bc, const int Br, const float softmax_scale, float *l, float *m, float *O) {
  int tx = threadIdx.x;
  int bx = blockIdx.x, by = blockIdx.y;
  int qkv_offset = (bx * gridDim.y * N * d) + (by * N * d);
  int lm_offset = (bx * gridDim.y * N) + (by * N);
  extern __shared__ float sram[];
  int tile_size = Bc * d;
  float *Qi = sram;
  float *Kj = &sram[tile_size];
  float *Vj = &sram[tile_size * 2];
  float *S = &sram[tile_size * 3];
  for (int j = 0; j < Tc; j++) {
    for (int x = 0; x < d; x++) {
      Kj[(tx * d) + x] = K[qkv_offset + (tile_size * j) + (tx * d) + x];
      Vj[(tx * d) + x] = V[qkv_offset + (tile_size * j) + (tx * d) + x];
    }
    __syncthreads();
    for (int i = 0; i < Tr; i++) {
      for (int x = 0; x < d; x++) Qi[(tx * d) + x] = Q[qkv_offset + (tile_size * i) + (tx * d) + x];
      float row_m_prev = m[lm_offset + (Br * i) + tx];
      float row_l_prev = l[lm_offset + (Br * i) + tx];
      float row_m = -INFINITY;
      for (int y = 0; y < Bc; y++) {
        float sum = 0;
        for (int x = 0; x < d; x++) sum += Qi[(tx * d) + x] * Kj[(y * d) + x];
        sum *= softmax_scale;
        S[(Bc * tx) + y] = sum;
        if (sum > row_m) row_m = sum;
      }
      float row_l = 0;
      for (int y = 0; y < Bc; y++) {
        S[(Bc * tx) + y] = __expf(S[(Bc * tx) + y] - row_m);
        row_l += S[(Bc * tx) + y];
      }
      float row_m_new = max(row_m_prev, row_m);
      float row_l_new = (__expf(row_m_prev - row_m_new) * row_l_prev) + (__expf(row_m - row_m_new) * row_l);
      for (int x = 0; x < d; x++) {
        float pv = 0;
        for (int y = 0; y < Bc; y++) pv += S[(Bc * tx) + y] * Vj[(y * d) + x];
        O[qkv_offset + (tile_size * i) + (tx * d) + x] = (1 / row_l_new) *
          ((row_l_prev * __expf(row_m_prev - row_m_new) * O[qkv_offset + (tile_size * i) + (tx * d) + x]) +
           (__expf(row_m - row_m_new) * pv));
      }
      m[lm_offset + (Br * i) + tx] = row_m_new;
      l[lm_offset + (Br * i) + tx] = row_l_new;
    }
    __syncthreads();
  }
}
__device__ inline float lerp(float start, float end, float weight) { return fma(weight, end, fma(-weight, start, start)); }
__global__ void adamw_kernel2(float *params_memory, float *grads_memory, float *m_memory, float *v_memory,
                              size_t num_parameters, float learning_rate, float beta1, float beta2,
                              float beta1_correction, float beta2_correction, float eps, float weight_decay) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= num_parameters) return;
  float grad = grads_memory[i];
  float m = m_memory[i];
  float v = v_memory[i];
  m = lerp(grad, m, beta1);
  m_memory[i] = m;
  v = lerp(grad * grad, v, beta2);
  v_memory[i] = v;
  m /= beta1_correction;
  v /= beta2_correction;
  params_memory[i] -= learning_rate * (m / (sqrtf(v) + eps) + weight_decay * params_memory[i]);
}
void online(int b) { online_softmax<256><<<b, 256>>>(nullptr, nullptr, 0); }
