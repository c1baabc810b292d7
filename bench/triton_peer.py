"""The bench's kernels in Triton's interpreter.  usage: triton_peer.py KERNEL N; prints seconds and a checksum.

Triton's programs work on whole tiles: `naive` loads a row and a column piece for each k, as the CUDA kernel's block does.
"""

import os
import sys
import time

os.environ["TRITON_INTERPRET"] = "1"
import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402


@triton.jit
def naive(A, B, C, N, T: tl.constexpr):
    rows, cols = tl.program_id(1) * T + tl.arange(0, T), tl.program_id(0) * T + tl.arange(0, T)
    total = tl.zeros((T, T), tl.float32)
    for k in range(N):
        total += tl.load(A + rows * N + k)[:, None] * tl.load(B + k * N + cols)[None, :]
    tl.store(C + rows[:, None] * N + cols[None, :], total)


@triton.jit
def transpose(A, B, N, T: tl.constexpr):
    rows, cols = tl.program_id(1) * T + tl.arange(0, T), tl.program_id(0) * T + tl.arange(0, T)
    tl.store(B + cols[None, :] * N + rows[:, None], tl.load(A + rows[:, None] * N + cols[None, :]))


@triton.jit
def reduction(X, out, BLOCK: tl.constexpr):
    tl.store(
        out + tl.program_id(0), tl.sum(tl.load(X + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), axis=0)
    )


def main(name, n):
    count = n if name == "reduction" else n * n
    A, B = ((torch.arange(count) % m).float() for m in (7, 5))
    C = torch.zeros(n // 256 if name == "reduction" else count)
    start = time.perf_counter()
    if name == "reduction":
        reduction[(n // 256,)](A, C, 256)
    elif name == "transpose":
        transpose[(n // 32, n // 32)](A, C, n, 32)
    else:
        naive[(n // 16, n // 16)](A, B, C, n, 16)
    seconds = time.perf_counter() - start
    print(seconds, float((C.double() * (torch.arange(len(C)) % 11)).sum()))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
