// y += A x for a matrix in CSR form, split evenly whatever the rows' lengths: the walk over all
// entries and all ends of rows is cut into stretches of ITEMS steps, one a thread (merge path).
// A thread finds where its stretch begins by bisection. A row that two threads share is added twice.
#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef ITEMS
#define ITEMS 8
#endif

// How many ends of rows come in the first `steps` steps of the walk; ends[i] entries come before
// the end of row i.
__device__ int rows_in(const int *ends, int rows, int entries, int steps) {
    int low = max(steps - entries, 0);
    int high = min(steps, rows);
    while (low < high) {
        int middle = (low + high) / 2;
        if (ends[middle] <= steps - middle - 1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

__global__ void spmv_merge(const float *data, const int *col, const int *row_ptr, const float *x,
                           float *y, int rows) {
    __shared__ float product[BLOCK * ITEMS];
    __shared__ int ends[BLOCK * ITEMS];
    __shared__ int corner[2];
    int tid = threadIdx.x;
    int entries = row_ptr[rows];
    int begin = min(blockIdx.x * BLOCK * ITEMS, rows + entries);
    int end = min(begin + BLOCK * ITEMS, rows + entries);
    if (tid < 2) {                             // where the block's stretch begins and ends
        corner[tid] = rows_in(row_ptr + 1, rows, entries, tid == 0 ? begin : end);
    }
    __syncthreads();
    int row = corner[0];
    int its_rows = corner[1] - row;
    int entry = begin - row;
    int its_entries = end - begin - its_rows;
    for (int k = tid; k < its_entries; k += BLOCK) {
        product[k] = data[entry + k] * x[col[entry + k]];
    }
    for (int k = tid; k < its_rows; k += BLOCK) {
        ends[k] = row_ptr[row + k + 1] - entry;
    }
    __syncthreads();
    int steps = min(tid * ITEMS, end - begin);
    int last = min(steps + ITEMS, end - begin);
    int r = rows_in(ends, its_rows, its_entries, steps);
    int e = steps - r;
    float dot = 0.0f;
    bool open = false;                         // has the row entries that are not yet in y?
    for (; steps < last; steps++) {
        if (r < its_rows && ends[r] <= e) {
            if (open) {
                atomicAdd(&y[row + r], dot);
            }
            dot = 0.0f;
            open = false;
            r++;
        } else {
            dot += product[e];
            open = true;
            e++;
        }
    }
    int key = open ? r : -1 - tid;             // the row that goes on in the next stretch, if any
    for (int d = 1; d < 32; d *= 2) {          // a long row: the warp's parts are added up first
        float more = __shfl_down_sync(0xffffffff, dot, d);
        int its = __shfl_down_sync(0xffffffff, key, d);
        if (tid % 32 + d < 32 && its == key) {
            dot += more;
        }
    }
    int before = __shfl_up_sync(0xffffffff, key, 1);
    if (open && (tid % 32 == 0 || before != key)) {
        atomicAdd(&y[row + r], dot);
    }
}
