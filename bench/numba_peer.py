"""The bench's kernels in numba's CUDA simulator.  usage: numba_peer.py KERNEL N; prints seconds and a checksum."""

import os
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
import numpy as np  # noqa: E402
from numba import cuda, float32  # noqa: E402

TILE, BLOCK = 16, 256


@cuda.jit
def naive(A, B, C, N):
    col, row = cuda.grid(2)
    if row < N and col < N:
        total = np.float32(0)
        for k in range(N):
            total += A[row * N + k] * B[k * N + col]
        C[row * N + col] = total


@cuda.jit
def tiled(A, B, C, N):
    As = cuda.shared.array((TILE, TILE), float32)
    Bs = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    total = np.float32(0)
    for phase in range(N // TILE):
        As[ty, tx] = A[row * N + phase * TILE + tx]
        Bs[ty, tx] = B[(phase * TILE + ty) * N + col]
        cuda.syncthreads()
        for k in range(TILE):
            total += As[ty, k] * Bs[k, tx]
        cuda.syncthreads()
    C[row * N + col] = total


@cuda.jit
def reduction(X, out):
    shared = cuda.shared.array(BLOCK, float32)
    tid = cuda.threadIdx.x
    shared[tid] = X[cuda.blockIdx.x * BLOCK + tid]
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if tid < s:
            shared[tid] += shared[tid + s]
        cuda.syncthreads()
        s //= 2
    if tid == 0:
        out[cuda.blockIdx.x] = shared[0]


@cuda.jit
def transpose(A, B, N):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = A[(cuda.blockIdx.y * 32 + ty) * N + cuda.blockIdx.x * 32 + tx]
    cuda.syncthreads()
    B[(cuda.blockIdx.x * 32 + ty) * N + cuda.blockIdx.y * 32 + tx] = tile[tx, ty]


def main(name, n):
    count = n if name == "reduction" else n * n
    A = (np.arange(count) % 7).astype(np.float32)
    B = (np.arange(count) % 5).astype(np.float32)
    C = np.zeros(n // BLOCK if name == "reduction" else count, np.float32)
    start = time.perf_counter()
    if name == "reduction":
        reduction[n // BLOCK, BLOCK](A, C)
    elif name == "transpose":
        transpose[(n // 32, n // 32), (32, 32)](A, C, n)
    else:
        {"naive": naive, "tiled": tiled}[name][(n // 16, n // 16), (16, 16)](A, B, C, n)
    seconds = time.perf_counter() - start
    print(seconds, float((C.astype(np.float64) * (np.arange(len(C)) % 11)).sum()))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
