"""bfloat16 in CUDA C: what #include <cuda_bf16.h> brings in.  A value is the upper half of a float's bits; arithmetic
is that of floats, rounded to nearest even."""

BFLOAT16 = """
struct __nv_bfloat16 {
  unsigned short __x;
  __device__ __nv_bfloat16(float value) {
    unsigned bits = __float_as_uint(value);
    __x = (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fff : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  }
  __device__ operator float() const { return __uint_as_float((unsigned)__x << 16); }
};
struct __align__(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
struct __nv_bfloat16_raw { unsigned short x; };
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
__device__ float __bfloat162float(__nv_bfloat16 a) { return __uint_as_float((unsigned)a.__x << 16); }
__device__ __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
__device__ __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
__device__ __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16((float)a); }
__device__ __nv_bfloat16 __int2bfloat16_rn(int a) { return __nv_bfloat16((float)a); }
__device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
__device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { __nv_bfloat16 made(0.0f); made.__x = a; return made; }
__device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{ __nv_bfloat162 made; made.x = a; made.y = b; return made; }
__device__ __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{ return __halves2bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
__device__ __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
__device__ __nv_bfloat162 __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
__device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __halves2bfloat162(a, a); }
__device__ float2 __bfloat1622float2(__nv_bfloat162 a)
{ return make_float2(__bfloat162float(a.x), __bfloat162float(a.y)); }
__device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__device__ float __low2float(__nv_bfloat162 a) { return __bfloat162float(a.x); }
__device__ float __high2float(__nv_bfloat162 a) { return __bfloat162float(a.y); }
"""

_EACH = """
__device__ __nv_bfloat16 NAME(__nv_bfloat16 a, __nv_bfloat16 b)
{ return __nv_bfloat16(__bfloat162float(a) OP __bfloat162float(b)); }
__device__ __nv_bfloat162 NAME2(__nv_bfloat162 a, __nv_bfloat162 b)
{ return __halves2bfloat162(NAME(a.x, b.x), NAME(a.y, b.y)); }
__device__ __nv_bfloat16 operatorOP(__nv_bfloat16 a, __nv_bfloat16 b) { return NAME(a, b); }
__device__ __nv_bfloat162 operatorOP(__nv_bfloat162 a, __nv_bfloat162 b) { return NAME2(a, b); }
__device__ __nv_bfloat16& operatorOP=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = NAME(a, b); }
"""
_COMPARED = """
__device__ bool NAME(__nv_bfloat16 a, __nv_bfloat16 b) { return __bfloat162float(a) OP __bfloat162float(b); }
__device__ bool operatorOP(__nv_bfloat16 a, __nv_bfloat16 b) { return NAME(a, b); }
"""
for _name, _op in (("__hadd", "+"), ("__hsub", "-"), ("__hmul", "*")):
    BFLOAT16 += _EACH.replace("NAME", _name).replace("OP", _op)
BFLOAT16 += _EACH.replace("NAME2", "__h2div").replace("NAME", "__hdiv").replace("OP", "/")
for _name, _op in (
    ("__heq", "=="),
    ("__hne", "!="),
    ("__hlt", "<"),
    ("__hle", "<="),
    ("__hgt", ">"),
    ("__hge", ">="),
):
    BFLOAT16 += _COMPARED.replace("NAME", _name).replace("OP", _op)
BFLOAT16 += """
__device__ __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __nv_bfloat16(-__bfloat162float(a)); }
__device__ __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
__device__ __nv_bfloat16 __habs(__nv_bfloat16 a) { return __nv_bfloat16(fabsf(__bfloat162float(a))); }
__device__ __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{ return __nv_bfloat16(fmaxf(__bfloat162float(a), __bfloat162float(b))); }
__device__ __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{ return __nv_bfloat16(fminf(__bfloat162float(a), __bfloat162float(b))); }
__device__ __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{ return __nv_bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c))); }
__device__ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{ return __halves2bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
__device__ __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(expf(__bfloat162float(a))); }
__device__ __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(sqrtf(__bfloat162float(a))); }
__device__ __nv_bfloat16 hrsqrt(__nv_bfloat16 a) { return __nv_bfloat16(rsqrtf(__bfloat162float(a))); }
"""
