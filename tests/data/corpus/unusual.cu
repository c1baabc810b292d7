// Host leftovers, traits, casts to rows: what real files also hold.
#include <cuda_runtime.h>
#if __has_include(<foo.h>)
#include <foo.h>
#endif
int hostN = 5; const int hostC = atoi("3"); const double arr[2] = {1, 2};
const int TPB = 256; const int BPG = (32 < (1000 + TPB - 1) / TPB) ? 32 : (1000 + TPB - 1) / TPB; constexpr int MM = std::min(TPB, 64);
struct Lock { int *mutex; Lock(void) { HANDLE(cudaMalloc((void**)&mutex, 4)); } ~Lock(void) { cudaFree(mutex); } __device__ void lock(void) { while (atomicCAS(mutex, 0, 1) != 0); __threadfence(); } };
template <typename T> struct vec4 { typedef float Type; };
template <> struct vec4<float> { typedef float4 Type; };
template <> struct vec4<double> { typedef double4 Type; };
template <typename T> __device__ T lenx(typename vec4<T>::Type v, T s) { return v.x * s; }
template <typename T> __device__ T lenq(T s, typename vec4<T>::Type v) { return v.x * s; }
typedef float Row[16];
__device__ void rowf(Row r) { r[0] = 1; }
template <unsigned int BS, bool B> __device__ unsigned int tt(int t) { return B ? t % BS : 0; }
__device__ constexpr int DC = 4;
__global__ void k(float *p, int n, Lock l) {
  __shared__ float c[TPB], d[MM]; float loc[DC];
  n += __float_as_int(p[0]);
  float4 v = make_float4(1, 2, 3, 4); p[0] = lenx<float>(v, 2.f) + lenq(2.f, v);
  Row r; rowf(r); 
  float (*rows)[16] = (float (*)[16])p; rows[1][2] = 3;
  static const float tbl[3] = {1, 2, 3}; p[1] = tbl[n] + std::max<float>(n, 3) + arr[1];
  _Pragma("unroll 4") for (int i = 0; i < 4; i++) p[i] = 0;
  if (tt<32, true>(n) < n) p[0] = 1;
  p[BPG] = 1; l.lock();
  for (int i = 0; i < 10; i++) { for (int j = 0; j < i; j++) p[j] += 1; }
}
