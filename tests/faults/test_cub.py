"""CUB's collectives of a block and a warp run from #include <cub/...>."""

import numpy as np
import pytest

import gpusim as gs

A = np.random.default_rng(5).integers(-50, 50, 1024).astype(np.int32)


def run(body, threads, n=1024, block=None, include="cub/cub.cuh", parameters="int *o, const int *a, int n"):
    """What kernel k with this body leaves in o, without a report; N is the block's threads."""
    text = f"#include <{include}>\n#define N {threads}\n__global__ void k({parameters}) {{ int t = threadIdx.x; {body} }}"
    out = gs.zeros(1024, np.int32)
    done = gs.cuda(text).k[1, block or threads](out, gs.asarray(A), n)
    assert not done.reports
    return gs.asnumpy(out)


@pytest.mark.parametrize("threads", [32, 40, 64, 250, 1024])
def test_a_block_reduces(threads):
    body = """using Reduce = cub::BlockReduce<int, N>; __shared__ typename Reduce::TempStorage temp;
        int s = Reduce(temp).Sum(a[t]); if (t == 0) o[0] = s; __syncthreads();
        s = Reduce(temp).Reduce(a[t], cub::Max()); if (t == 0) o[1] = s; __syncthreads();
        s = Reduce(temp).Sum(a[t], n); if (t == 0) o[2] = s; __syncthreads();
        s = Reduce(temp).Reduce(a[t], [](int x, int y) { return x < y ? x : y; }, n); if (t == 0) o[3] = s;"""
    part, some = A[:threads], A[: threads - 7]
    assert run(body, threads, threads - 7)[:4].tolist() == [part.sum(), part.max(), some.sum(), some.min()]


def test_a_block_of_two_dimensions_reduces_several_items_a_thread():
    body = """typedef cub::BlockReduce<int, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8> Reduce; __shared__ Reduce::TempStorage temp;
        int x[4], i = t + 16 * threadIdx.y; for (int k = 0; k < 4; k++) x[k] = a[4 * i + k];
        int s = Reduce(temp).Sum(x); if (i == 0) o[0] = s; __syncthreads();
        s = Reduce(temp).Reduce(x, cub::Min()); if (i == 0) o[1] = s;"""
    assert run(body, 16, block=(16, 8))[:2].tolist() == [A[:512].sum(), A[:512].min()]


@pytest.mark.parametrize("threads", [32, 40, 256])
def test_a_block_scans(threads):
    body = """typedef cub::BlockScan<int, N> Scan; __shared__ typename Scan::TempStorage temp; int x, all;
        Scan(temp).InclusiveSum(a[t], x); o[t] = x; __syncthreads();
        Scan(temp).ExclusiveSum(a[t], x, all); o[N + t] = x; if (t == N - 1) o[3 * N] = all; __syncthreads();
        Scan(temp).ExclusiveScan(a[t], x, -99, cub::Max()); o[2 * N + t] = x;"""
    part, got = A[:threads], run(body, threads)
    sums, most = part.cumsum(), np.maximum.accumulate(np.r_[-99, part[:-1]])
    want = [*sums, *(sums - part), *most, sums[-1]]
    assert got[: 3 * threads + 1].tolist() == [int(x) for x in want]


def test_a_block_loads_scans_and_stores_several_items_a_thread():
    body = """typedef cub::BlockLoad<int, N, 4, cub::BLOCK_LOAD_TRANSPOSE> Load; typedef cub::BlockStore<int, N, 4, cub::BLOCK_STORE_STRIPED> Store;
        typedef cub::BlockScan<int, N> Scan;
        __shared__ typename Load::TempStorage load; __shared__ typename Store::TempStorage store; __shared__ typename Scan::TempStorage scan;
        int x[4]; Load(load).Load(a, x, n, 0); Scan(scan).ExclusiveSum(x, x); Store(store).Store(o, x, n);"""
    given = np.where(np.arange(256) < 250, A[:256], 0)
    sums = (given.cumsum() - given).reshape(64, 4)
    want = sums.T.ravel()[:250].tolist() + [0] * 6
    assert run(body, 64, 250)[:256].tolist() == want


def test_warps_reduce_and_scan_in_parts():
    body = """typedef cub::WarpReduce<int> Reduce; __shared__ typename Reduce::TempStorage temp[N / 32];
        int s = Reduce(temp[t / 32]).Sum(a[t]); if (t % 32 == 0) o[t / 32] = s;
        typedef cub::WarpReduce<int, 8> Eight; __shared__ typename Eight::TempStorage small[N / 8];
        s = Eight(small[t / 8]).Reduce(a[t], cub::Max()); if (t % 8 == 0) o[8 + t / 8] = s;
        typedef cub::WarpScan<int> Scan; __shared__ typename Scan::TempStorage scan[N / 32];
        Scan(scan[t / 32]).InclusiveSum(a[t], s); o[32 + t] = s; Scan(scan[t / 32]).ExclusiveSum(a[t], s); o[96 + t] = s;"""
    part, got = A[:64], run(body, 64, include="cub/warp/warp_reduce.cuh")
    sums = part.reshape(2, 32).cumsum(axis=1)
    assert got[:2].tolist() == part.reshape(2, 32).sum(axis=1).tolist()
    assert got[8:16].tolist() == part.reshape(8, 8).max(axis=1).tolist()
    assert got[32:96].tolist() == sums.ravel().tolist()
    assert got[96:160].tolist() == (sums.ravel() - part).tolist()


def test_one_barrier_and_one_shared_store_a_warp_is_what_a_reduction_costs():
    text = """#include <cub/block/block_reduce.cuh>
    __global__ void k(float *o, const float *a) { typedef cub::BlockReduce<float, 256> R; __shared__ typename R::TempStorage temp;
        float s = R(temp).Sum(a[threadIdx.x]); if (threadIdx.x == 0) *o = s; }"""
    run = gs.cuda(text).k[1, 256](gs.zeros(1, np.float32), gs.zeros(256, np.float32))
    counts = run.counts
    assert (counts.barriers, counts.shared_store_requests, counts.shared_load_requests) == (8, 8, 7)


def test_what_is_no_part_of_cub_here_is_an_error_in_words():
    text = "#include <cub/cub.cuh>\n__global__ void k(int *o) { typedef cub::BlockRadixSort<int, 64, 1> S; o[0] = 1; }"
    for without in (text, text.split("\n")[1]):
        with pytest.raises(gs.CudaUnsupported, match="this part of CUB is not supported"):
            gs.cuda(without)
