#include "helper_math.h"
typedef struct Node_ { int a; struct Node_ *next; } Node;
struct Tree; 
struct Tree { Tree* left; Tree *right; float v; };
struct Later;
struct Holder { Later* p; };
struct Later { int z; };
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float max(float a, float b, float c) { return fmaxf(a, fmaxf(b, c)); }
template <unsigned int N> struct Foo { static const int value = N * 2; enum { B = N }; typedef float type; static __device__ int f(int x) { return x * N; } };
#define CHECK(x) do { if (!(x)) return; } while (0)
#define BLOCK dim3(16, 16)
namespace { constexpr int hidden = 3; }
__global__ void fwd(int *);
__device__ void sum4(int (&arr)[4], float (*in)[8], const float (*cin)[8], float out[][8]) { out[1][2] = arr[1] + in[0][1] + cin[1][1]; }
static __global__ void fwd(int *p) { p[0] = hidden; }
__device__ __constant__ float cc[4];
__device__ const float tab[] = {1.f, 2.f};
extern __shared__ float filedyn[];
__global__ void k(float const *const __restrict__ p, float **pp, Node *n, Tree *t, Holder h, int N, int M, float *out, unsigned char *bytes, volatile int *flag) {
  register int i = threadIdx.x; int const *q = 0; float *a, b, **c;
  a = out; c = &a; b = **c; (void)N; (void)b;
  int x, y, z; x = y = z = 0;
  for (unsigned s = blockDim.x / 2; s; s >>= 1) x++;
  for (auto u = 0u; u < N; ++u) y += u;
  if (i) ; else x = 3;
  struct Acc { float s; int n; } acc; acc.s = 1; acc.n = 2;
  struct P2 { float x, y; __device__ float len() const { return sqrtf(x * x + y * y); } }; P2 pt{3, 4}; b = pt.len();
  x = sizeof(cc) / sizeof(cc[0]);
  pp[i][x] = n->next->a + t->left->right->v + h.p->z;
  bool odd = !(i & 1); bytes[i] = (unsigned char)(b); b = (float)(i) / N; b = (int)floorf(b); b = -(float)x; b = (b)-1; b = (float)*p; b = (float)-1; b = (x) & 1; b = (x) * 2; b = (b) - (x);
  x = i < N && y > (z); x = i<N ? x : y; 
  float3 f3 = make_float3(1.f, 2.f, 3.f) + make_float3(2.f); f3 += f3 * 2.0f; b = dot(f3, f3) + max(b, 1.f, 2.f) + max(b, 1.f) + max(x, y);
  x = Foo<3>::value + Foo<4>::B + Foo<5>::f(x); typename Foo<2>::type ft = 3; 
  CHECK(x > 0); dim3 bl = BLOCK; x = bl.x;
  int arr4[4] = {}; float in[3][8]; float o[3][8]; sum4(arr4, in, in, o);
  x = {3}; int w = {4}; int v{5}; int vv(6);
  b = tab[1] + cc[2] + filedyn[i];
  out[i] = b, out[i + 1] = x;
  while (*flag == 0); 
  a = i % 2 ? out : out + 1; *a++ = 1; *(a++) = 2; *++a = 3; a[-1] = 4; (*a)++; -- * a;
  int bits = *(int*)&b; b = *reinterpret_cast<float*>(&bits); b = __int_as_float(bits);
  unsigned long long int big = 1ull << 33 | 0xFFull; long int li = 3L; 
  x = ((i)); x = (i)+(N); x = ~(i) ^ -1; x = i << 2 >> 1; x <<= 1u; x |= i == 0; x = i != 0 == 1;
  b = 1.f / (1.f + expf(-b)); b = b > 0 ? b : 0.01f * b; b = 1e-5; b = .5; b = 5.; b = 0x1.8p1f;
  if (i == 0 || (i > 3 && !(i & 4))) { return; } else if (i < 3) x = 1; else { x = 2; }
  switch (i) { case 0: { int tt = 3; x = tt; break; } case 1: x = 1; break; default: break; }
}
