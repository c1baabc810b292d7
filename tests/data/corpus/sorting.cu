// Sorting: bitonic in shared memory, odd-even, a radix pass, merge path, rank sort, and quick selection by partition.
#define SHARED_SIZE_LIMIT 1024U
typedef unsigned int uint;

__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir) {
  uint t;
  if ((keyA > keyB) == dir) {
    t = keyA; keyA = keyB; keyB = t;
    t = valA; valA = valB; valB = t;
  }
}
__global__ void bitonicSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength, uint dir) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT];
  __shared__ uint s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0];
  s_val[threadIdx.x + 0] = d_SrcVal[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < arrayLength; size <<= 1) {
    uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
    }
  }
  {
    for (uint stride = arrayLength / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
    }
  }
  __syncthreads();
  d_DstKey[0] = s_key[threadIdx.x + 0];
  d_DstVal[0] = s_val[threadIdx.x + 0];
  d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}
__global__ void bitonic_step(float *dev_values, int j, int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
  if ((ixj) > i) {
    if ((i & k) == 0) {
      if (dev_values[i] > dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
    if ((i & k) != 0) {
      if (dev_values[i] < dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
  }
}
__global__ void odd_even(int *a, int n) {
  for (int phase = 0; phase < n; ++phase) {
    int i = 2 * threadIdx.x + (phase & 1);
    if (i + 1 < n && a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }
    __syncthreads();
  }
}
__device__ unsigned int co_rank(unsigned int k, int *A, unsigned int m, int *B, unsigned int n) {
  unsigned int iLow = (k > n) ? (k - n) : 0;
  unsigned int iHigh = (m < k) ? m : k;
  while (true) {
    unsigned int i = (iLow + iHigh) / 2;
    unsigned int j = k - i;
    if (i > 0 && j < n && A[i - 1] > B[j]) {
      iHigh = i;
    } else if (j > 0 && i < m && B[j - 1] > A[i]) {
      iLow = i;
    } else {
      return i;
    }
  }
}
__device__ void mergeSequential(int *A, int *B, int *C, unsigned int m, unsigned int n) {
  unsigned int i = 0, j = 0, k = 0;
  while (i < m && j < n) {
    if (A[i] < B[j]) { C[k++] = A[i++]; } else { C[k++] = B[j++]; }
  }
  while (i < m) C[k++] = A[i++];
  while (j < n) C[k++] = B[j++];
}
__global__ void merge_kernel(int *A, int *B, int *C, unsigned int m, unsigned int n) {
  unsigned int k = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (k < m + n) {
    unsigned int i = co_rank(k, A, m, B, n);
    unsigned int j = k - i;
    unsigned int kNext = (k + 4 < m + n) ? (k + 4) : (m + n);
    unsigned int iNext = co_rank(kNext, A, m, B, n);
    unsigned int jNext = kNext - iNext;
    mergeSequential(&A[i], &B[j], &C[k], iNext - i, jNext - j);
  }
}
__global__ void radix_iter(unsigned int *input, unsigned int *output, unsigned int *bits, unsigned int N, unsigned int iter) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int key, bit;
  if (i < N) {
    key = input[i];
    bit = (key >> iter) & 1;
    unsigned int numOnesBefore = bits[i], numOnesTotal = bits[N];
    unsigned int dst = (bit == 0) ? (i - numOnesBefore) : (N - numOnesTotal + numOnesBefore);
    output[dst] = key;
  }
}
template <class T> __global__ void rank_sort(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T mine = in[i];
  int rank = 0;
  for (int j = 0; j < n; ++j) rank += in[j] < mine || (in[j] == mine && j < i);
  out[rank] = mine;
}
template __global__ void rank_sort<float>(const float *, float *, int);
int main() { rank_sort<<<1, 32>>>((const double *)0, (double *)0, 3); }
