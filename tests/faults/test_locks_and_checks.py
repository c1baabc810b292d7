"""Locks, flags and masks: they end as on a GPU, and what is reported is what can go wrong."""

import numpy as np
import pytest

import gpusim as gs
from gpusim.machine.lanes import progress


def ints(n):
    return gs.zeros(n, np.int32)


# Memory that outlives a launch.

TOTAL = """__device__ int total;
__global__ void k(int *c, int *lock) {
    if (threadIdx.x == 0) {
        atomicAdd(&total, 1);
        while (atomicCAS(lock, 0, 1) != 0);
        __threadfence(); *c += 1; __threadfence();
        atomicExch(lock, 0);
    }
}"""


def test_a_device_variable_counts_each_block_once_though_the_launch_was_tried_twice():
    program = gs.cuda(TOTAL)
    program.k[4, 32](ints(1), ints(1))
    assert program.constants["total"] == 4


def test_verify_leaves_a_device_variable_as_one_launch_does():
    program = gs.cuda("__device__ int n; __global__ void k(int *o) { o[threadIdx.x] = 1; atomicAdd(&n, 1); }")
    assert gs.verify(program.k, 2, 64, ints(64)).ok
    assert program.constants["n"] == 128


def test_a_device_variable_is_read_back_as_it_is_now():
    program = gs.cuda(
        "__device__ unsigned least = 255; __device__ short pair[2][3];"
        "__global__ void k(const int *x) { atomicMin(&least, (unsigned)x[threadIdx.x]); pair[1][2] = 7; }"
    )
    assert program.constants["least"] == 255
    program.k[1, 64](gs.asarray(np.arange(20, 84, dtype=np.int32)))
    assert program.constants["least"] == 20
    assert program.constants["pair"].tolist() == [[0, 0, 0], [0, 0, 7]]
    program.constants["least"] = 255
    program.k[1, 64](gs.asarray(np.arange(30, 94, dtype=np.int32)))
    assert program.constants["least"] == 30


def test_a_device_variable_that_all_threads_add_to_without_an_atomic_races():
    program = gs.cuda("__device__ int n; __global__ void k(int *o) { n += 1; }")
    assert {r.scope for r in program.k[2, 64](ints(1)).reports} == {"between blocks"}


# Tracebacks of ours.

WEIGHTS = "__constant__ float w[4];\n__global__ void k(const int *n, float *o) { int t = threadIdx.x; "


@pytest.mark.parametrize(
    "body",
    [
        "o[t] = w[n[t]];",
        "float s = 0; for (int j = 0; j < n[t]; j++) s += w[j]; o[t] = s;",
        "if (n[t]) o[t] = w[t % 4];",
    ],
)
def test_constant_memory_where_data_decide(body):
    program = gs.cuda(WEIGHTS + body + " }")
    program.constants["w"] = np.ones(4, np.float32)
    run = program.k[1, 32](gs.full(32, 2, np.int32), gs.zeros(32, np.float32))
    assert run.counts.warp_instructions > 0 and gs.estimate(run).seconds > 0


def test_a_helper_that_stores_through_its_pointer_in_a_loop():
    kernel = gs.cuda("""__device__ void put(float *where, float what) { *where = what; }
__global__ void k(const float *in, float *out) {
    __shared__ float tile[256];
    for (int r = 0; r < 8; r++) put(&tile[r * 32 + threadIdx.x], in[r * 32 + threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * 8];
}""").k
    x, out = np.arange(256, dtype=np.float32), gs.zeros(32, np.float32)
    run = kernel[1, 32](gs.asarray(x), out)
    assert (gs.asnumpy(out) == x[::8]).all() and run.counts.shared_store_requests == 8


def test_a_shared_atomic_ignores_the_index_of_lanes_that_are_off():
    kernel = gs.cuda("""__global__ void k(const int *in, unsigned *out) {
    __shared__ unsigned box[7];
    if (threadIdx.x < 7) box[threadIdx.x] = 0;
    __syncthreads();
    int place = in[threadIdx.x] - 97;
    if (place >= 0 && place < 26) atomicAdd(&box[place / 4], 1u);
    __syncthreads();
    if (threadIdx.x < 7) out[threadIdx.x] = box[threadIdx.x];
}""").k
    letters = np.random.default_rng(1).integers(60, 140, 256).astype(np.int32)
    out = gs.zeros(7, np.uint32)
    assert kernel[1, 256](gs.asarray(letters), out).reports == []
    inside = letters[(letters >= 97) & (letters < 123)] - 97
    assert gs.asnumpy(out).tolist() == np.bincount(inside // 4, minlength=7).tolist()


def test_a_pointer_parameter_that_moves_under_a_guard():
    kernel = gs.cuda("""__global__ void k(const float *a, float *o, int rows) {
    int row = blockIdx.x * 4 + threadIdx.y;
    if (row < rows) {
        a = &a[row * 8];
        float s = 0;
        for (int i = 0; i < 2; i++) { float4 q = reinterpret_cast<const float4 *>(a)[i]; s += q.x + q.y + q.z + q.w; }
        if (threadIdx.x == 0) o[row] = s;
    }
}""").k
    a, o = np.arange(48, dtype=np.float32), gs.zeros(6, np.float32)
    kernel[2, (8, 4)](gs.asarray(a), o, 6)
    assert gs.asnumpy(o).tolist() == a.reshape(6, 8).sum(1).tolist()


@pytest.mark.parametrize("blocks", [2, 4])
def test_a_retry_loop_of_many_threads(blocks):
    kernel = gs.cuda("""__global__ void k(int *p) {
    int seen = *p, was;
    do { was = seen; seen = atomicCAS(p, was, was + 1); } while (seen != was);
}""").k
    total = ints(1)
    kernel[blocks, 128](total)
    assert gs.asnumpy(total)[0] == 128 * blocks


# Who takes part in a vote, a reduction, a shuffle.

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int *o, const int *a) { int i = threadIdx.x; "
VOTES = {
    "any_of_a_tile": ("auto w = cg::tiled_partition<8>(cg::this_thread_block()); o[i] = w.any(a[i] == 9);",
                      lambda i: i // 8 == 1),
    "all_of_a_tile": ("auto w = cg::tiled_partition<8>(cg::this_thread_block()); o[i] = w.all(a[i] < 20);",
                      lambda i: i // 8 < 2),
    "ballots_of_two_masks": ("unsigned m = 0xffu << (i & 24); o[i] = __popc(__ballot_sync(m, a[i] >= 4));",
                             lambda i: np.where(i < 8, 4, 8)),
    "sums_of_two_masks": ("unsigned m = i < 8 ? 0xff : 0xffffff00; o[i] = __reduce_add_sync(m, (unsigned)a[i]);",
                          lambda i: np.where(i < 8, 28, 468)),
    "a_coalesced_ballot": ("if (i & 1) { auto g = cg::coalesced_threads(); o[i] = g.ballot(a[i] < 4); }",
                           lambda i: np.where(i % 2, 3, 0)),
    "coalesced_any": ("if (i & 1) { auto g = cg::coalesced_threads(); o[i] = 1 + g.any(a[i] == 4); }",
                      lambda i: i % 2),
    "a_vote_of_two_branches": ("if (i < 16) o[i] = __any_sync(0xffff, a[i] == 20); else o[i] = __any_sync(0xffff0000, a[i] == 20);",
                               lambda i: i >= 16),
    "peers_of_half_a_warp": ("if (i < 16) o[i] = __popc(__match_any_sync(0xffff, a[i] / 3));",
                             lambda i: np.where(i < 15, 3, np.where(i == 15, 1, 0))),
}  # fmt: skip


@pytest.mark.parametrize("name", VOTES)
def test_lanes_vote_with_those_that_take_part(name):
    body, right = VOTES[name]
    out, lane = ints(32), np.arange(32)
    run = gs.cuda(GROUPS + body + " }").k[1, 32](out, gs.asarray(lane.astype(np.int32)))
    assert gs.asnumpy(out).tolist() == right(lane).astype(int).tolist() and run.reports == []


def test_a_tile_of_a_tile_counts_within_its_parent():
    body = """auto w = cg::tiled_partition<32>(cg::this_thread_block()); auto q = cg::tiled_partition<8>(w);
    auto own = cg::tiled_partition<16>(cg::this_thread_block());
    o[i] = q.meta_group_rank() * 1000 + q.meta_group_size() * 100 + own.meta_group_rank() * 10 + own.meta_group_size(); }"""
    out, i = ints(64), np.arange(64)
    gs.cuda(GROUPS + body).k[1, 64](out, ints(64))
    assert gs.asnumpy(out).tolist() == (i % 32 // 8 * 1000 + 400 + i // 16 * 10 + 4).tolist()


def test_a_shuffle_from_a_lane_that_the_mask_does_not_name():
    text = "__global__ void k(int *o) { o[threadIdx.x] = __shfl_sync(threadIdx.x < 8 ? 0xff : 0xffffff00, threadIdx.x, LANE); }"
    (report,) = gs.cuda(text.replace("LANE", "3")).k[1, 32](ints(32)).reports
    assert report.kind == "warp mask" and report.count == 24 and report.thread == (8, 0, 0)
    assert gs.cuda(text.replace("LANE", "threadIdx.x ^ 1")).k[1, 32](ints(32)).reports == []


# Locks and flags.

LOCKED = "__threadfence(); c[0] += 1; __threadfence();"
LOCKS = {
    "all lanes spin": f"while (atomicCAS(&l[0], 0, 1) != 0); {LOCKED} atomicExch(&l[0], 0);",
    "all lanes try": f"bool done = false; while (!done) if (atomicCAS(&l[0], 0, 1) == 0) {{ {LOCKED} atomicExch(&l[0], 0); done = true; }}",
    "a ticket lock": f"int own = atomicAdd(&l[0], 1); while (atomicAdd(&l[1], 0) != own); {LOCKED} atomicAdd(&l[1], 1);",
    "a ticket lock that reads a volatile": f"int own = atomicAdd(&l[0], 1); while (((volatile int *)l)[1] != own); {LOCKED} ((volatile int *)l)[1] = own + 1;",
    "test before set": f"while (true) {{ while (((volatile int *)l)[0]); if (atomicCAS(&l[0], 0, 1) == 0) break; }} {LOCKED} atomicExch(&l[0], 0);",
    "with a growing pause": f"unsigned ns = 8; while (atomicCAS(&l[0], 0, 1)) {{ __nanosleep(ns); if (ns < 256) ns *= 2; }} {LOCKED} atomicExch(&l[0], 0);",
    "one after the other by a flag": f"int own = blockIdx.x * blockDim.x + threadIdx.x; while (((volatile int *)l)[0] != own); {LOCKED} ((volatile int *)l)[0] = own + 1;",
    "a lock of each block": "__shared__ int s, n; if (threadIdx.x == 0) s = n = 0; __syncthreads(); while (atomicCAS(&s, 0, 1)); __threadfence_block(); n += 1; __threadfence_block(); atomicExch(&s, 0); __syncthreads(); if (threadIdx.x == 0) atomicAdd(c, n);",
    "a thread for its warp": "if (threadIdx.x % 32 == 0) { while (atomicCAS(&l[0], 0, 1)); __threadfence(); } __syncwarp(); if (threadIdx.x % 32 == 3) c[0] += min(32, (int)blockDim.x - (int)threadIdx.x / 32 * 32); __syncwarp(); if (threadIdx.x % 32 == 0) { __threadfence(); atomicExch(&l[0], 0); }",
    "a thread for its block": "if (threadIdx.x == 0) while (atomicCAS(&l[0], 0, 1)); __syncthreads(); if (threadIdx.x == 5) c[0] += blockDim.x; __threadfence(); __syncthreads(); if (threadIdx.x == 0) atomicExch(&l[0], 0);",
    "a retry": "int seen = c[0], was; do { was = seen; seen = atomicCAS(c, was, was + 1); } while (seen != was);",
    "a sum by the last block": "__shared__ int last; if (threadIdx.x == 0) { l[8 + blockIdx.x] = blockDim.x; __threadfence(); last = atomicAdd(&l[0], 1) == gridDim.x - 1; } __syncthreads(); if (last && threadIdx.x == 7) for (int b = 0; b < gridDim.x; b++) c[0] += l[8 + b];",
}  # fmt: skip


def kernel_of(body):
    return gs.cuda("__global__ void k(int *c, int *l) { " + body + " }").k


@pytest.mark.parametrize("grid, block", [(1, 40), (3, 16)])
@pytest.mark.parametrize("name", LOCKS)
def test_what_a_lock_or_a_flag_orders_ends_is_right_and_does_not_race(name, grid, block):
    for order in ("lockstep", "reverse"):
        total = ints(1)
        run = gs.launch(kernel_of(LOCKS[name]), grid, block, total, ints(16), order=order)
        assert gs.asnumpy(total)[0] == grid * block and run.reports == [], str(run.reports)


@pytest.mark.parametrize("name", [name for name in LOCKS if "fence" in LOCKS[name]])
def test_without_the_fences_it_races(name):
    body = LOCKS[name].replace("__threadfence();", "").replace("__threadfence_block();", "")
    reports = kernel_of(body)[3, 40](ints(1), ints(16)).reports
    assert reports and all("race" in r.kind and "__syncthreads" not in r.hint for r in reports)


def test_a_flag_without_a_fence_is_reported_and_with_one_is_not():
    text = """__global__ void k(volatile int *flag, int *v) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) { v[0] = 1; FENCE flag[0] = 1; }
        else { while (flag[0] == 0); v[1] = v[0]; }
    }
}"""
    (report,) = gs.cuda(text.replace("FENCE", "")).k[2, 32](ints(1), ints(2)).reports
    assert (report.kind, report.array, report.scope) == ("read-after-write race", "v", "between blocks")
    assert "__threadfence()" in report.hint
    assert gs.cuda(text.replace("FENCE", "__threadfence();")).k[2, 32](ints(1), ints(2)).reports == []
    (report,) = gs.cuda(text.replace("FENCE", "__threadfence_block();")).k[2, 32](ints(1), ints(2)).reports
    assert report.scope == "between blocks"  # that fence is for the block alone


def test_a_shared_flag_between_two_warps():
    text = """__global__ void k(int *o) {
    __shared__ volatile int ready; __shared__ int v;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) { v = 7; FENCE ready = 1; }
    if (threadIdx.x == 0) { while (ready == 0); o[0] = v; }
}"""
    out = ints(1)
    run = gs.cuda(text.replace("FENCE", "__threadfence_block();")).k[1, 64](out)
    assert run.reports == [] and gs.asnumpy(out)[0] == 7
    assert [r.array for r in gs.cuda(text.replace("FENCE", "")).k[1, 64](ints(1)).reports] == ["v"]


def test_one_access_outside_the_lock_races():
    body = f"while (atomicCAS(&l[0], 0, 1) != 0); {LOCKED} atomicExch(&l[0], 0); if (threadIdx.x == 3) l[8] = c[0];"
    reports = kernel_of(body)[1, 40](ints(1), ints(16)).reports
    assert {r.kind for r in reports} <= {"read-after-write race", "write-after-read race"} and reports


# A part of a warp.


def test_a_syncwarp_of_some_lanes_orders_those_alone():
    text = """__global__ void k(int *o) {
    __shared__ int s[32]; int t = threadIdx.x;
    s[t] = t;
    if (t < 16) { __syncwarp(0xffff); o[t] = s[WHERE]; }
}"""
    assert gs.cuda(text.replace("WHERE", "15 - t")).k[1, 32](ints(32)).reports == []
    (report,) = gs.cuda(text.replace("WHERE", "t + 16")).k[1, 32](ints(32)).reports
    assert (report.kind, report.scope, report.count) == ("read-after-write race", "inside a warp", 16)


def test_a_tile_waits_for_its_own_lanes_alone():
    body = """__shared__ int s[32]; auto w = cg::tiled_partition<8>(cg::this_thread_block());
    s[i] = a[i]; w.sync(); o[i] = s[i ^ STEP]; }"""
    near, far = (
        gs.cuda(GROUPS + body.replace("STEP", step)).k[2, 32](ints(32), ints(32)) for step in "4 8".split()
    )
    assert (
        near.reports.total("race", "inside a warp") == 0 and far.reports.total("race", "inside a warp") == 64
    )


# Loops that end, and loops that do not.


def test_a_walk_round_a_ring_ends():
    text = """__global__ void k(const float *x, float *o, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, i = (t + 1) % n;
    float s = 0;
    do { s += x[i]; i = (i + 1) % n; } while (i != t);
    o[t] = s;
}"""
    out = gs.zeros(4096, np.float32)
    gs.launch(gs.cuda(text).k, 16, 256, gs.full(4096, 1, np.float32), out, 4096, checks=False)
    assert (gs.asnumpy(out) == 4095).all()


def test_a_loop_that_counts_far_is_stopped_by_time_and_says_so(monkeypatch):
    monkeypatch.setattr(progress, "MOST_SECONDS", 1)
    text = "__global__ void k(float *a) { float x = 0; for (int i = 0; i < 100000000; i++) x += a[i % 32]; a[0] = x; }"
    with pytest.raises(gs.StepLimit, match=r"still runs after [\d,]+ steps, which took 1 s") as stopped:
        gs.cuda(text).k[1, 32](gs.zeros(32, np.float32))
    assert "step_limit" in stopped.value.hint and "--step-limit" in stopped.value.terminal


def test_barriers_in_two_branches_of_whole_warps_are_said_to_be_left_open_not_to_hang():
    text = """__global__ void k(float *o) { __shared__ float s[4]; int w = threadIdx.x / 32;
    if (w % 2 == 0) { s[w] = w; __syncthreads(); o[0] = s[0]; } else { s[w] = w; __syncthreads(); o[1] = s[1]; } }"""
    with pytest.raises(gs.BarrierError, match="the same line, column .*leaves open") as stopped:
        gs.cuda(text).k[1, 128](gs.zeros(2, np.float32))
    assert "for ever" not in str(stopped.value) and "time round" not in str(stopped.value)
