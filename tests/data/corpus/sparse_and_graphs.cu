// Sparse matrices in several formats, and graph searches level by level.
#include <cuda.h>
#include <limits.h>
#define LOCAL_FRONTIER_CAPACITY 2048

struct COOMatrix { unsigned int numNonzeros; unsigned int *rowIdx; unsigned int *colIdx; float *value; };
struct CSRMatrix { unsigned int numRows; unsigned int *rowPtrs; unsigned int *colIdx; float *value; };
struct ELLMatrix { unsigned int numRows; unsigned int *nnzPerRow; unsigned int *colIdx; float *value; };
struct CSRGraph { unsigned int numVertices; unsigned int *srcPtrs; unsigned int *dst; };
typedef struct { int starting; int no_of_edges; } Node;

__global__ void spmv_coo_kernel(COOMatrix cooMatrix, float *x, float *y) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cooMatrix.numNonzeros) {
    unsigned int row = cooMatrix.rowIdx[i];
    unsigned int col = cooMatrix.colIdx[i];
    float value = cooMatrix.value[i];
    atomicAdd(&y[row], x[col] * value);
  }
}
__global__ void spmv_csr_kernel(CSRMatrix csrMatrix, float *x, float *y) {
  unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < csrMatrix.numRows) {
    float sum = 0.0f;
    for (unsigned int i = csrMatrix.rowPtrs[row]; i < csrMatrix.rowPtrs[row + 1]; ++i) {
      unsigned int col = csrMatrix.colIdx[i];
      sum += x[col] * csrMatrix.value[i];
    }
    y[row] += sum;
  }
}
__global__ void spmv_ell_kernel(ELLMatrix ell, float *x, float *y) {
  unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < ell.numRows) {
    float sum = 0.0f;
    for (unsigned int t = 0; t < ell.nnzPerRow[row]; ++t) {
      unsigned int i = t * ell.numRows + row;
      sum += x[ell.colIdx[i]] * ell.value[i];
    }
    y[row] = sum;
  }
}
template <typename IndexType, typename ValueType, unsigned int THREADS_PER_VECTOR>
__global__ void spmv_csr_vector(const IndexType num_rows, const IndexType *Ap, const IndexType *Aj, const ValueType *Ax,
                                const ValueType *x, ValueType *y) {
  const IndexType thread_id = blockDim.x * blockIdx.x + threadIdx.x;
  const IndexType thread_lane = threadIdx.x & (THREADS_PER_VECTOR - 1);
  const IndexType row = thread_id / THREADS_PER_VECTOR;
  if (row < num_rows) {
    ValueType sum = 0;
    for (IndexType jj = Ap[row] + thread_lane; jj < Ap[row + 1]; jj += THREADS_PER_VECTOR) sum += Ax[jj] * x[Aj[jj]];
    for (int d = THREADS_PER_VECTOR / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFFU, sum, d, THREADS_PER_VECTOR);
    if (thread_lane == 0) y[row] = sum;
  }
}
__global__ void bfs_vertex_push(CSRGraph csrGraph, unsigned int *level, unsigned int *newVertexVisited, unsigned int currLevel) {
  unsigned int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex < csrGraph.numVertices) {
    if (level[vertex] == currLevel - 1) {
      for (unsigned int edge = csrGraph.srcPtrs[vertex]; edge < csrGraph.srcPtrs[vertex + 1]; ++edge) {
        unsigned int neighbor = csrGraph.dst[edge];
        if (level[neighbor] == UINT_MAX) {
          level[neighbor] = currLevel;
          *newVertexVisited = 1;
        }
      }
    }
  }
}
__global__ void bfs_private_frontier(CSRGraph csrGraph, unsigned int *level, unsigned int *prevFrontier,
                                     unsigned int *currFrontier, unsigned int numPrevFrontier,
                                     unsigned int *numCurrFrontier, unsigned int currLevel) {
  __shared__ unsigned int currFrontier_s[LOCAL_FRONTIER_CAPACITY];
  __shared__ unsigned int numCurrFrontier_s;
  if (threadIdx.x == 0) { numCurrFrontier_s = 0; }
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numPrevFrontier) {
    unsigned int vertex = prevFrontier[i];
    for (unsigned int edge = csrGraph.srcPtrs[vertex]; edge < csrGraph.srcPtrs[vertex + 1]; ++edge) {
      unsigned int neighbor = csrGraph.dst[edge];
      if (atomicCAS(&level[neighbor], UINT_MAX, currLevel) == UINT_MAX) {
        unsigned int slot = atomicAdd(&numCurrFrontier_s, 1);
        if (slot < LOCAL_FRONTIER_CAPACITY) {
          currFrontier_s[slot] = neighbor;
        } else {
          numCurrFrontier_s = LOCAL_FRONTIER_CAPACITY;
          unsigned int global_slot = atomicAdd(numCurrFrontier, 1);
          currFrontier[global_slot] = neighbor;
        }
      }
    }
  }
  __syncthreads();
  __shared__ unsigned int start;
  if (threadIdx.x == 0) start = atomicAdd(numCurrFrontier, numCurrFrontier_s);
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < numCurrFrontier_s; k += blockDim.x) currFrontier[start + k] = currFrontier_s[k];
}
__global__ void visit(Node *g_graph_nodes, int *g_graph_edges, bool *g_graph_mask, bool *g_updating_graph_mask,
                      bool *g_graph_visited, int *g_cost, int no_of_nodes) {
  int tid = blockIdx.x * 512 + threadIdx.x;
  if (tid < no_of_nodes && g_graph_mask[tid]) {
    g_graph_mask[tid] = false;
    for (int i = g_graph_nodes[tid].starting; i < (g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++) {
      int id = g_graph_edges[i];
      if (!g_graph_visited[id]) {
        g_cost[id] = g_cost[tid] + 1;
        g_updating_graph_mask[id] = true;
      }
    }
  }
}
__global__ void floyd_warshall(int *dist, int n, int k) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int through = dist[i * n + k] + dist[k * n + j];
  if (through < dist[i * n + j]) dist[i * n + j] = through;
}
__global__ void pagerank_push(const int *offsets, const int *targets, const float *rank, float *next, int n, float damping) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    int begin = offsets[v], end = offsets[v + 1], degree = end - begin;
    if (degree == 0) continue;
    float share = damping * rank[v] / degree;
    for (int e = begin; e < end; ++e) atomicAdd(next + targets[e], share);
  }
}
void host() { spmv_csr_vector<int, float, 8><<<32, 128>>>(0, nullptr, nullptr, nullptr, nullptr, nullptr); }
