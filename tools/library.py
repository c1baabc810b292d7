"""What libraries and plain copies take on this GPU: the lines that the book draws beside its own kernels."""

from __future__ import annotations

import numpy as np
from launch_inputs import csr, row_lengths, uniform

from gpusim.hardware import gpu


def records(cupy):
    """Yield {name, params, seconds, method} for each."""
    for group in (_products, _sums, _scans, _copies, _sparse):
        try:
            yield from (_timed(cupy, *each) for each in group(cupy))
        except Exception as error:  # a library may be missing from this CuPy; the other groups still count
            yield {"name": group.__name__, "params": {}, "failed": f"{type(error).__name__}: {error}"[:500]}


def _timed(cupy, name, params, call):
    call()
    cupy.cuda.Device().synchronize()
    once = gpu.between_events(cupy, call)
    times = [gpu.between_events(cupy, call) for _ in range(int(min(25, max(5, 0.15 / max(once, 1e-6)))))]
    record = {
        "name": name,
        "params": params,
        "seconds": float(np.median(times)),
        "fastest": min(times),
        "slowest": max(times),
        "repeats": len(times),
        "method": "one call between two events",
    }
    if record["seconds"] < gpu.SHORT:
        record["in_graph"] = _in_graph(cupy, call)
    return record


def _in_graph(cupy, call):
    """Seconds of a call as short kernels are timed: one of many in a CUDA graph; None where that fails.

    Between two events the call's way through Python and the driver counts as well.
    """
    try:
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            call()
            stream.synchronize()
            stream.begin_capture()
            try:
                for _ in range(gpu.GRAPH):
                    call()
            finally:
                graph = stream.end_capture()
            times = [gpu.between_events(cupy, graph.launch) / gpu.GRAPH for _ in range(12)]
        return float(np.median(times[2:]))
    except Exception as error:  # what a library does on the host cannot always be recorded
        print("not in a graph:", error)
        return None


def _products(cupy):
    """cuBLAS, through cupy.matmul, in single and in half precision."""
    for kind in ("float32", "float16"):
        for N in (4096, 1024, 256):
            a, b = (cupy.asarray(uniform(N * N, seed).reshape(N, N).astype(kind)) for seed in (11, 12))
            c = cupy.empty((N, N), kind)
            yield "cupy.matmul", {"N": N, "dtype": kind}, lambda a=a, b=b, c=c: cupy.matmul(a, b, out=c)


def _sums(cupy):
    """CuPy's own reduction."""
    for n in (1 << 26, 1 << 18):
        x, total = cupy.asarray(uniform(n, 5)), cupy.empty((), np.float32)
        yield "cupy.sum", {"n": n}, lambda x=x, total=total: x.sum(out=total)


def _scans(cupy):
    """CuPy's running sums."""
    for n in (1 << 26, 1 << 18):
        x, out = cupy.asarray(uniform(n, 5)), cupy.empty(n, np.float32)
        yield "cupy.cumsum", {"n": n}, lambda x=x, out=out: cupy.cumsum(x, out=out)


def _copies(cupy):
    """Device to device, and between host and device from pageable and from page-locked memory."""
    for n in (1 << 26, 1 << 24, 1 << 20):
        x, y = cupy.asarray(uniform(n, 1)), cupy.empty(n, np.float32)
        yield "copy.device", {"n": n}, lambda x=x, y=y: cupy.copyto(y, x)
        pageable = uniform(n, 1)
        locked = np.frombuffer(cupy.cuda.alloc_pinned_memory(4 * n), np.float32, n)
        locked[:] = pageable
        for kind, host in (("pageable", pageable), ("locked", locked)):
            yield "copy.to_device", {"n": n, "memory": kind}, lambda x=x, host=host: x.set(host)
            yield "copy.to_host", {"n": n, "memory": kind}, lambda x=x, host=host: x.get(out=host)


def _sparse(cupy):
    """cuSPARSE against a dense matrix-vector product of the same size."""
    from cupyx.scipy import sparse

    for rows, data in ((65536, "64"), (65536, "8"), (65536, "uneven"), (4096, "64")):
        values, col, row_ptr = csr(row_lengths(data, rows), rows)
        matrix = sparse.csr_matrix(
            (cupy.asarray(values), cupy.asarray(col), cupy.asarray(row_ptr)), shape=(rows, rows)
        )
        x = cupy.asarray(uniform(rows, 42))
        yield "cusparse.spmv", {"rows": rows, "data": data}, lambda matrix=matrix, x=x: matrix @ x
    for rows in (4096, 16384):
        dense, x = cupy.asarray(uniform(rows * rows, 1).reshape(rows, rows)), cupy.asarray(uniform(rows, 2))
        yield "cupy.matvec", {"rows": rows}, lambda dense=dense, x=x: dense @ x
