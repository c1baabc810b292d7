"""Arguments and macros of the launches in tests/data/hardware/counts.json, kernels of the lectures."""

import numpy as np

U, F = np.uint32, np.float32


def hashed(i, seed):
    """A 32-bit hash of each number."""
    x = np.asarray(i, U) + U(seed * 0x9E3779B9 & 0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x ^= x >> U(shift)
        x *= U(factor)
    return x ^ x >> U(16)


def unit(n, seed):
    """n floats in [0, 1)."""
    return (hashed(np.arange(n, dtype=U), seed) >> U(8)).astype(F) * F(1 / 16777216)


def values(n, seed):
    """n floats in [-1, 1)."""
    return F(2) * unit(n, seed) - F(1)


def empty(n, dtype=F):
    return np.full(n, np.nan, dtype)


def signed(distribution, n):
    """Input of the divergence kernels: the distribution says which side each number takes."""
    size, chance = unit(n, 7) * F(0.99) + F(0.01), unit(n, 8)
    negative = {
        "all_positive": np.zeros(n, bool),
        "all_negative": np.ones(n, bool),
        "random": chance < F(0.5),
        "sorted": chance < F(0.5),
        "negative5": chance < F(0.05),
        "alternating": np.arange(n) % 2 == 1,
    }[distribution]
    x = np.where(negative, -size, size)
    return np.sort(x) if distribution == "sorted" else x


def csr(matrix, rows, cols):
    """data, columns and row starts; each row takes the columns whose hashes are smallest."""
    row = np.arange(rows)
    if matrix in ("nnz8", "nnz64"):
        length = np.full(rows, int(matrix[3:]))
    else:
        length = np.where(row % 32 == 0, 256, 1 + hashed(row, 51) % 8).astype(int)
    start = np.concatenate([[0], np.cumsum(length)]).astype(np.int32)
    order = [np.argsort(hashed(np.arange(cols), 31 + i), kind="stable")[:n] for i, n in enumerate(length)]
    return values(start[-1], 41), np.concatenate([np.sort(o) for o in order]).astype(np.int32), start


def arguments(launch):
    """The kernel's arguments in order, NumPy arrays and numbers."""
    kernel, p = launch["kernel"], launch["params"]
    n = p.get("n")
    if kernel == "vadd":
        return [values(n, 1), values(n, 2), empty(n), n]
    if kernel == "copy4":
        return [values(n, 1), empty(n), n // 4]
    if kernel in ("load_stride", "store_stride"):
        wide, narrow = n * p["stride"] + p["offset"], n
        read, written = (wide, narrow) if kernel == "load_stride" else (narrow, wide)
        return [values(read, 1), empty(written), n, p["stride"], p["offset"]]
    if kernel == "diverge" or kernel.startswith("switch"):
        return [signed(p.get("distribution", "random"), n), empty(n), n]
    if kernel == "conv_global":
        return [values(n + 2, 3), empty(n)]
    if kernel.startswith("mm_"):
        N = p["N"]
        return [values(N * N, 11), values(N * N, 12), empty(N * N), N]
    if kernel.startswith("reduce"):
        return [values(n, 5), empty(launch["grid"][0])]
    if kernel.startswith("tr_"):
        return [values(n * n, 4), empty(n * n), n]
    if kernel.startswith("spmv"):
        matrix = csr(p["matrix"], p["rows"], p["cols"])
        return [*matrix, values(p["cols"], 42), empty(p["rows"]), p["rows"]]
    if kernel.startswith("hist"):
        bins = np.full(n, 5, np.int32) if p["distribution"] == "same" else hashed(np.arange(n), 61) % 256
        return [bins.astype(np.int32), np.zeros(256, np.int32), n, 1]
    if kernel == "vect_mult":
        return [n, empty(n, np.float64), *(values(n, seed).astype(np.float64) for seed in (71, 72))]
    if kernel == "matrix_add":
        size = p["nx"] * p["ny"]
        return [values(size, 73), values(size, 74), empty(size), p["nx"], p["ny"]]
    return [values(p["rows"] * p["cols"], 75), values(p["cols"], 76), p["rows"], p["cols"]]  # add_bias_row


def macros(launch):
    """{macro: value} of the text."""
    kernel, p = launch["kernel"], launch["params"]
    sizes = ("TILE", "COARSE", "V", "W", "L", "S", "PITCH", "ROWS")
    found = {name: str(p[name]) for name in sizes if name in p}
    if p.get("rolled"):
        found["ROLLED"] = ""
    if p.get("shared_access") == "scalar":
        found["SCALAR"] = ""
    if p.get("fetch") == "reversed":
        found["FETCH_REVERSED"] = ""
    if kernel == "diverge":
        found["ELSE_FMAS"] = str(p["else_fmas"])
    if kernel.startswith("switch"):
        found |= {"SELECT": p["select"], "SWITCH_NAME": kernel}
    if kernel.startswith("reduce") or kernel == "spmv_warp":
        found["BLOCK"] = "256" if kernel.startswith("reduce") else "128"
    if kernel.startswith("hist"):
        found["INC"] = "1" if p["increment"] == "constant 1" else "one"
    return found
