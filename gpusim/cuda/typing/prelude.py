"""Functions of CUDA's headers that are written in CUDA C here: half2 arithmetic, swap, group sums."""

_HALF2 = """
half2 __hadd2(half2 a, half2 b) { return make_half2(a.x + b.x, a.y + b.y); }
half2 __hsub2(half2 a, half2 b) { return make_half2(a.x - b.x, a.y - b.y); }
half2 __hmul2(half2 a, half2 b) { return make_half2(a.x * b.x, a.y * b.y); }
half2 __h2div(half2 a, half2 b) { return make_half2(a.x / b.x, a.y / b.y); }
half2 __hfma2(half2 a, half2 b, half2 c) { return make_half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
half2 __hneg2(half2 a) { return make_half2(-a.x, -a.y); }
half2 __hmax2(half2 a, half2 b) { return make_half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
half2 __hmin2(half2 a, half2 b) { return make_half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
half2 __float2half2_rn(float a) { return make_half2(__float2half(a), __float2half(a)); }
half2 __half2half2(half a) { return make_half2(a, a); }
half2 __halves2half2(half a, half b) { return make_half2(a, b); }
half2 __floats2half2_rn(float a, float b) { return make_half2(__float2half(a), __float2half(b)); }
half2 __float22half2_rn(float2 a) { return make_half2(__float2half(a.x), __float2half(a.y)); }
float2 __half22float2(half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }
half __low2half(half2 a) { return a.x; }
half __high2half(half2 a) { return a.y; }
float __low2float(half2 a) { return __half2float(a.x); }
float __high2float(half2 a) { return __half2float(a.y); }
half2 __lowhigh2highlow(half2 a) { return make_half2(a.y, a.x); }
half2 __low2half2(half2 a) { return make_half2(a.x, a.x); }
half2 __high2half2(half2 a) { return make_half2(a.y, a.y); }
"""

_OTHERS = """
template <class T> void swap(T& a, T& b) { T c = a; a = b; b = c; }
unsigned int __sad(int a, int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{ int left = offset == 0 ? 1 : abs(offset), step = offset == 0 ? 32 : offset > 0 ? 1 : -1;
  for (int lane = base; lane >= 0 && lane < 32; lane += step)
  { if (mask >> lane & 1) { if (--left == 0) return lane; } }
  return 0xffffffff; }
template <class T> unsigned int __match_any_sync(unsigned int mask, T value)
{ unsigned int peers = 0;
  for (int lane = 0; lane < 32; lane++) { T other = __shfl_sync(mask, value, mask >> lane & 1 ? lane : __ffs(mask) - 1);
  if (mask >> lane & 1 && other == value) peers |= 1u << lane; }
  return peers; }
int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
unsigned int __uhadd(unsigned int a, unsigned int b)
{ return (unsigned int)(((unsigned long long)a + b) >> 1); }
template <class T> unsigned int __match_all_sync(unsigned int mask, T value, int* all)
{ bool same = value == __shfl_sync(mask, value, __ffs(mask) - 1);
  *all = __all_sync(mask, same);
  return *all ? mask : 0; }
int __dp4a(int a, int b, int c) { return __dp4a_s32(a, b, c); }
unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) { return __dp4a_u32(a, b, c); }
int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{ return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
int __dp2a_lo(int a, int b, int c) { return c + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8); }
unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{ return c + (unsigned short)a * (unsigned char)b + (a >> 16) * (unsigned char)(b >> 8); }
int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return c + a.x * b.x + a.y * b.y; }
int __dp2a_hi(int a, int b, int c) { return c + (short)a * (signed char)(b >> 16) + (a >> 16) * (b >> 24); }
unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c)
{ return c + (unsigned short)a * (unsigned char)(b >> 16) + (a >> 16) * (b >> 24); }
int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return c + a.x * b.z + a.y * b.w; }
"""

# Shuffles and votes as they were before Volta: over the lanes that are active.
_BEFORE_VOLTA = """
template <class T> T __shfl(T value, int lane, int width = 32)
{ return __shfl_sync(__activemask(), value, lane, width); }
template <class T> T __shfl_up(T value, unsigned int lanes, int width = 32)
{ return __shfl_up_sync(__activemask(), value, lanes, width); }
template <class T> T __shfl_down(T value, unsigned int lanes, int width = 32)
{ return __shfl_down_sync(__activemask(), value, lanes, width); }
template <class T> T __shfl_xor(T value, int lanes, int width = 32)
{ return __shfl_xor_sync(__activemask(), value, lanes, width); }
unsigned int __ballot(bool yes) { return __ballot_sync(__activemask(), yes); }
int __any(bool yes) { return __any_sync(__activemask(), yes); }
int __all(bool yes) { return __all_sync(__activemask(), yes); }
"""

# Over the lanes of a tile of `width` threads; `mask`, `rank` and `width` are given at the call.
_GROUPS = """
template <int width, class T, class F> T cg_reduce(unsigned mask, T value, F op)
{ for (int lanes = width / 2; lanes > 0; lanes /= 2)
  value = op(value, __shfl_xor_sync(mask, value, lanes, width)); return value; }
template <int width, class T, class F> T cg_inclusive_scan(unsigned mask, unsigned rank, T value, F op)
{ for (int lanes = 1; lanes < width; lanes *= 2) { T other = __shfl_up_sync(mask, value, lanes, width);
  if (rank >= lanes) value = op(other, value); } return value; }
template <int width, class T, class F> T cg_exclusive_scan(unsigned mask, unsigned rank, T value, F op)
{ for (int lanes = 1; lanes < width; lanes *= 2) { T other = __shfl_up_sync(mask, value, lanes, width);
  if (rank >= lanes) value = op(other, value); }
  T before = __shfl_up_sync(mask, value, 1, width); return rank == 0 ? T(0) : before; }
unsigned cg_pack(unsigned mask, unsigned bits)
{ unsigned packed = 0, rank = 0;
  for (int lane = 0; lane < 32; lane++) { if (mask >> lane & 1) { packed |= (bits >> lane & 1) << rank; rank++; } }
  return packed; }
void cg_memcpy_async(unsigned rank, unsigned size, int* to, const int* from, unsigned bytes)
{ for (unsigned i = rank; i < bytes / 4; i += size) to[i] = from[i]; }
"""

# memcpy and memset of many elements; the number of bytes may leave a rest that is no whole element.
_COPIES = """
template <class T> void each_of_memcpy(T* to, const T* from, unsigned long long bytes)
{ for (unsigned long long i = 0; i < bytes / sizeof(T); i++) to[i] = from[i]; }
template <class T> void each_of_memset(T* to, T value, unsigned long long bytes)
{ for (unsigned long long i = 0; i < bytes / sizeof(T); i++) to[i] = value; }
template <class T> void each_of_memcpy_and_rest(T* to, const T* from, unsigned long long bytes)
{ for (unsigned long long i = 0; i < bytes / sizeof(T); i++) to[i] = from[i];
  for (unsigned long long i = bytes - bytes % sizeof(T); i < bytes; i++)
  ((unsigned char*)to)[i] = ((const unsigned char*)from)[i]; }
template <class T> void each_of_memset_and_rest(T* to, T value, unsigned long long bytes)
{ for (unsigned long long i = 0; i < bytes / sizeof(T); i++) to[i] = value;
  for (unsigned long long i = bytes - bytes % sizeof(T); i < bytes; i++) ((unsigned char*)to)[i] = *(unsigned char*)&value; }
"""


def _by_name(text):
    """{function's name: its text with all overloads}, a function a paragraph that ends in a } at the end of a line."""
    functions, current = {}, ""
    for line in text.strip().split("\n"):
        current += line + "\n"
        if current.count("{") and current.count("{") == current.count("}"):
            name = current.split("{")[0].rsplit(")", 1)[0].split("(")[0].split()[-1]
            functions[name], current = functions.get(name, "") + current, ""
    return functions


BEFORE_VOLTA = _by_name(_BEFORE_VOLTA)
PRELUDE = {**_by_name(_HALF2), **_by_name(_OTHERS), **BEFORE_VOLTA, **_by_name(_GROUPS), **_by_name(_COPIES)}
