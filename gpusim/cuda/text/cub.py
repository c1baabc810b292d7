"""The parts of CUB that kernels use, in CUDA C: what #include <cub/...> brings in.

Reductions go by shuffles within each warp and through shared memory between them, as CUB does by default; scans
go by shuffles and add what the warps before hold.
"""

CUB = """
namespace cub {
struct Sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Max { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct Min { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
                          BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
                           BLOCK_STORE_WARP_TRANSPOSE };
__device__ int LinearThread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ int LaneId() { return LinearThread() & 31; }
__device__ int WarpId() { return LinearThread() >> 5; }

template <class T, int WIDTH = 32> struct WarpReduce {
  struct TempStorage { char unused; };
  unsigned members; int lane;
  __device__ WarpReduce(TempStorage& temp) {
    lane = LaneId() % WIDTH;
    members = WIDTH == 32 ? 0xffffffffu : ((1u << WIDTH % 32) - 1) << LaneId() / WIDTH * WIDTH;
  }
  template <class F> __device__ T Reduce(T value, F op, int valid) {
    for (int step = 1; step < WIDTH; step *= 2) {
      T other = __shfl_down_sync(members, value, step, WIDTH);
      if (lane + step < valid) value = op(value, other);
    }
    return value;
  }
  template <class F> __device__ T Reduce(T value, F op) { return Reduce(value, op, WIDTH); }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum(), WIDTH); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
};

template <class T, int WIDTH = 32> struct WarpScan {
  struct TempStorage { char unused; };
  unsigned members; int lane;
  __device__ WarpScan(TempStorage& temp) {
    lane = LaneId() % WIDTH;
    members = WIDTH == 32 ? 0xffffffffu : ((1u << WIDTH % 32) - 1) << LaneId() / WIDTH * WIDTH;
  }
  template <class F> __device__ void InclusiveScan(T value, T& result, F op) {
    for (int step = 1; step < WIDTH; step *= 2) {
      T other = __shfl_up_sync(members, value, step, WIDTH);
      if (lane >= step) value = op(other, value);
    }
    result = value;
  }
  template <class F> __device__ void ExclusiveScan(T value, T& result, T first, F op) {
    T all;
    InclusiveScan(value, all, op);
    T before = __shfl_up_sync(members, all, 1, WIDTH);
    result = lane == 0 ? first : op(first, before);
  }
  __device__ void InclusiveSum(T value, T& result) { InclusiveScan(value, result, cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& result) { ExclusiveScan(value, result, T(0), cub::Sum()); }
};

template <class T, int X, int ALGORITHM = 2, int Y = 1, int Z = 1> struct BlockReduce {
  struct TempStorage { T parts[(X * Y * Z + 31) / 32]; };
  T* parts; int rank;
  __device__ BlockReduce(TempStorage& temp) { parts = temp.parts; rank = LinearThread(); }
  template <class F> __device__ T Reduce(T value, F op, int valid) {
    int lane = rank & 31, warp = rank >> 5, left = valid - warp * 32;
    if constexpr (X * Y * Z % 32 == 0) {
      for (int step = 1; step < 32; step *= 2) {
        T other = __shfl_down_sync(0xffffffffu, value, step);
        if (lane + step < 32 && lane + step < left) value = op(value, other);
      }
    } else {  // the last warp is short: its lanes ask none that does not exist
      int lanes = X * Y * Z - warp * 32;
      unsigned members = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
      for (int step = 1; step < 32; step *= 2) {
        bool there = lane + step < 32 && lane + step < lanes;
        T other = __shfl_down_sync(members, value, there ? step : 0);
        if (there && lane + step < left) value = op(value, other);
      }
    }
    if (lane == 0) parts[warp] = value;
    __syncthreads();
    if (rank == 0) { for (int w = 1; w * 32 < valid; w++) value = op(value, parts[w]); }
    return value;
  }
  template <class F> __device__ T Reduce(T value, F op) { return Reduce(value, op, X * Y * Z); }
  template <int ITEMS, class F> __device__ T Reduce(T (&items)[ITEMS], F op) {
    T value = items[0];
    for (int i = 1; i < ITEMS; i++) value = op(value, items[i]);
    return Reduce(value, op, X * Y * Z);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum(), X * Y * Z); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int ITEMS> __device__ T Sum(T (&items)[ITEMS]) { return Reduce(items, cub::Sum()); }
};

template <class T, int X, int ALGORITHM = 2, int Y = 1, int Z = 1> struct BlockScan {
  struct TempStorage { T parts[(X * Y * Z + 31) / 32]; };
  T* parts; int rank;
  __device__ BlockScan(TempStorage& temp) { parts = temp.parts; rank = LinearThread(); }
  template <class F> __device__ T Before(T& value, T& total, F op) {
    int lane = rank & 31, warp = rank >> 5;
    unsigned members = X * Y * Z - warp * 32 < 32 ? (1u << X * Y * Z % 32) - 1 : 0xffffffffu;
    for (int step = 1; step < 32; step *= 2) {
      T other = __shfl_up_sync(members, value, step);
      if (lane >= step) value = op(other, value);
    }
    if (lane == 31 || rank == X * Y * Z - 1) parts[warp] = value;
    __syncthreads();
    T before = parts[0];
    total = parts[0];
    for (int w = 1; w < (X * Y * Z + 31) / 32; w++) {
      if (w == warp) before = total;
      total = op(total, parts[w]);
    }
    return before;
  }
  template <class F> __device__ void InclusiveScan(T value, T& result, F op, T& total) {
    T before = Before(value, total, op);
    result = rank < 32 ? value : op(before, value);
  }
  template <class F> __device__ void InclusiveScan(T value, T& result, F op) {
    T total;
    InclusiveScan(value, result, op, total);
  }
  template <class F> __device__ void ExclusiveScan(T value, T& result, T first, F op, T& total) {
    T before = Before(value, total, op);
    T own = rank < 32 ? value : op(before, value);
    unsigned members = X * Y * Z - (rank & ~31) < 32 ? (1u << X * Y * Z % 32) - 1 : 0xffffffffu;
    T left = __shfl_up_sync(members, own, 1);
    if ((rank & 31) == 0) left = before;
    result = rank == 0 ? first : op(first, left);
  }
  template <class F> __device__ void ExclusiveScan(T value, T& result, T first, F op) {
    T total;
    ExclusiveScan(value, result, first, op, total);
  }
  __device__ void InclusiveSum(T value, T& result) { InclusiveScan(value, result, cub::Sum()); }
  __device__ void InclusiveSum(T value, T& result, T& total) { InclusiveScan(value, result, cub::Sum(), total); }
  __device__ void ExclusiveSum(T value, T& result) { ExclusiveScan(value, result, T(0), cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& result, T& total) {
    ExclusiveScan(value, result, T(0), cub::Sum(), total);
  }
  template <int ITEMS> __device__ void InclusiveSum(T (&items)[ITEMS], T (&results)[ITEMS]) {
    T sums[ITEMS], before;
    sums[0] = items[0];
    for (int i = 1; i < ITEMS; i++) sums[i] = sums[i - 1] + items[i];
    ExclusiveSum(sums[ITEMS - 1], before);
    for (int i = 0; i < ITEMS; i++) results[i] = before + sums[i];
  }
  template <int ITEMS> __device__ void ExclusiveSum(T (&items)[ITEMS], T (&results)[ITEMS]) {
    T own[ITEMS], sum = items[0], before;
    own[0] = items[0];
    for (int i = 1; i < ITEMS; i++) { own[i] = items[i]; sum += items[i]; }
    ExclusiveSum(sum, before);
    for (int i = 0; i < ITEMS; i++) { results[i] = before; before += own[i]; }
  }
};

template <class T, int X, int ITEMS, int ALGORITHM = 0, int Y = 1, int Z = 1> struct BlockLoad {
  struct TempStorage { char unused; };
  int rank;
  __device__ BlockLoad() { rank = LinearThread(); }
  __device__ BlockLoad(TempStorage& temp) { rank = LinearThread(); }
  __device__ int At(int i) { return ALGORITHM == 1 ? i * (X * Y * Z) + rank : rank * ITEMS + i; }
  __device__ void Load(const T* from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) items[i] = from[At(i)];
  }
  __device__ void Load(const T* from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) { if (At(i) < valid) items[i] = from[At(i)]; }
  }
  __device__ void Load(const T* from, T (&items)[ITEMS], int valid, T rest) {
    for (int i = 0; i < ITEMS; i++) { items[i] = rest; if (At(i) < valid) items[i] = from[At(i)]; }
  }
};

template <class T, int X, int ITEMS, int ALGORITHM = 0, int Y = 1, int Z = 1> struct BlockStore {
  struct TempStorage { char unused; };
  int rank;
  __device__ BlockStore() { rank = LinearThread(); }
  __device__ BlockStore(TempStorage& temp) { rank = LinearThread(); }
  __device__ int At(int i) { return ALGORITHM == 1 ? i * (X * Y * Z) + rank : rank * ITEMS + i; }
  __device__ void Store(T* to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) to[At(i)] = items[i];
  }
  __device__ void Store(T* to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) { if (At(i) < valid) to[At(i)] = items[i]; }
  }
};
}
"""
