"""Public questions about CUDA, restated with inputs of our own, and the right answers."""

from __future__ import annotations

import numpy as np
import pytest

import gpusim as gs

LANE = np.arange(32)


def loads(run, space):
    """(sectors or wavefronts) of each load expression in that memory, in the text's order."""
    unit = "sectors" if space == "global" else "wavefronts"
    return [
        getattr(a.counts, f"{space}_load_{unit}")
        for a in run.accesses
        if (a.space, a.kind) == (space, "load")
    ]


# Memory.

CENTRE = """
struct P { float x, y, z, u, v, w; };
extern "C" __global__ void centre(const P* p, float* out, int j) {
  int i = blockIdx.x*blockDim.x + threadIdx.x;
  out[i] = (p[i].x - p[j].x) + (p[i].y - p[j].y) + (p[i].z - p[j].z);
}"""


def test_each_field_of_six_float_records_touches_the_same_24_sectors():
    record = np.dtype([(name, "f4") for name in "xyzuvw"])
    points = np.zeros(32, record)
    points["x"] = np.arange(32)
    out = gs.zeros(32, np.float32)
    run = gs.cuda(CENTRE).centre[1, 32](gs.asarray(points), out, 3)
    assert loads(run, "global") == [24, 1, 24, 1, 24, 1]
    assert run.counts.global_load_requests == 6 and run.counts.global_load_sectors == 75
    assert 24 <= run.counts.global_load_distinct_sectors <= 26 and run.counts.global_store_sectors == 4
    assert (gs.asnumpy(out) == np.arange(32) - 3).all()


def test_one_array_a_field_needs_half_of_that():
    text = """__global__ void centre(const float *x, const float *y, const float *z, float *out, int j) {
        int i = blockIdx.x*blockDim.x + threadIdx.x;
        out[i] = (x[i] - x[j]) + (y[i] - y[j]) + (z[i] - z[j]); }"""
    x, y, z, out = (gs.zeros(32, np.float32) for _ in range(4))
    assert loads(gs.cuda(text).centre[1, 32](x, y, z, out, 3), "global") == [4, 1, 4, 1, 4, 1]


@pytest.mark.parametrize(
    ("kind", "dtype", "sectors"),
    [
        ("unsigned char", "u1", 1),
        ("half", "f2", 2),
        ("float", "f4", 4),
        ("double", "f8", 8),
        ("float4", "f4", 16),
    ],
)
def test_contiguous_elements_of_any_size_waste_nothing(kind, dtype, sectors):
    text = f"""extern "C" __global__ void copyf(const {kind}* in, {kind}* out, int n) {{
        for (int i = blockIdx.x*blockDim.x + threadIdx.x; i < n; i += gridDim.x*blockDim.x) out[i] = in[i]; }}"""
    n = 1 << 12
    arrays = [gs.zeros(n * (4 if kind == "float4" else 1), dtype) for _ in range(2)]
    c = gs.cuda(text).copyf[4, 256](*arrays, n).counts
    assert c.global_load_sectors_per_request == c.global_store_sectors_per_request == sectors
    assert c.global_load_bytes == 32 * c.global_load_sectors


def test_a_grid_stride_copy_of_a_million_floats():
    text = """extern "C" __global__ void copyf(const float* in, float* out, int n) {
        for (int i = blockIdx.x*blockDim.x + threadIdx.x; i < n; i += gridDim.x*blockDim.x) out[i] = in[i]; }"""
    n = 1 << 20
    for grid in (64, 100):
        c = gs.count(gs.cuda(text).copyf, grid, 256, gs.spec(n), gs.spec(n), n).counts
        assert (c.global_load_requests, c.global_load_sectors) == (32768, 131072)
        assert (c.global_store_requests, c.global_store_sectors) == (32768, 131072)


def test_stride_four_in_two_small_blocks_has_six_excess_wavefronts():
    text = """extern "C" __global__ void gather4(const float* in, float* out) {
        __shared__ float s[128];
        for (int q = 0; q < 4; ++q) s[q*32 + threadIdx.x] = in[blockIdx.x*128 + q*32 + threadIdx.x];
        __syncthreads();
        out[blockIdx.x*32 + threadIdx.x] = s[4*threadIdx.x]; }"""
    c = gs.cuda(text).gather4[2, 32](gs.zeros(256, np.float32), gs.zeros(64, np.float32)).counts
    assert (c.shared_load_requests, c.shared_load_wavefronts, c.shared_load_excess) == (2, 8, 6)
    assert c.shared_store_excess == 0


VOTES = """
extern "C" __global__ void votes(const unsigned char* v, unsigned int* hist, int n) {
  __shared__ unsigned char f[8192];
  int lane = threadIdx.x;
  for (int k = lane; k < 8192; k += 32) f[k] = 0;
  __syncthreads();
  for (int k = lane; k < n; k += 32) {
    int x = v[k];
    f[%s] += 1;
  }
  __syncthreads();
  for (int b = lane; b < 256; b += 32) {
    unsigned int s = 0;
    for (int l = 0; l < 32; ++l) s += f[(b & 3) + (b >> 2)*128 + ((l + lane) & 31)*4];
    hist[b] = s;
  }
}"""
INPUTS = {
    "random": np.random.default_rng(0).integers(0, 256, 4096, np.uint8),
    "sevens": np.full(4096, 7, np.uint8),
    "crossing": np.tile((8 * LANE % 256).astype(np.uint8), 128),
}


@pytest.mark.parametrize("data", INPUTS)
def test_a_histogram_whose_banks_do_not_depend_on_the_data(data):
    votes = INPUTS[data]
    hist = gs.zeros(256, np.uint32)
    c = gs.cuda(VOTES % "(x & 3) + (x >> 2)*128 + lane*4").votes[1, 32](gs.asarray(votes), hist, 4096).counts
    assert c.shared_load_excess == c.shared_store_excess == 0
    assert (gs.asnumpy(hist) == np.bincount(votes, minlength=256)).all()


@pytest.mark.parametrize(
    ("data", "least", "most"), [("sevens", 1.0, 1.0), ("crossing", 4.0, 4.0), ("random", 2.6, 3.2)]
)
def test_the_obvious_layout_depends_on_the_data(data, least, most):
    run = gs.cuda(VOTES % "x*32 + lane").votes[1, 32](
        gs.asarray(INPUTS[data]), gs.zeros(256, np.uint32), 4096
    )
    update = next(a for a in run.accesses if (a.space, a.kind, a.line) == ("shared", "load", 8))
    assert least <= update.counts.shared_load_wavefronts_per_request <= most


def test_byte_counters_wrap_at_256():
    hist = gs.zeros(256, np.uint32)
    gs.cuda(VOTES % "(x & 3) + (x >> 2)*128 + lane*4").votes[1, 32](
        gs.asarray(np.full(8192, 9, np.uint8)), hist, 8192
    )
    assert gs.asnumpy(hist)[9] == 0


def test_float4_takes_four_wavefronts_at_best_and_32_at_worst():
    text = """extern "C" __global__ void quad(const float4* in, float4* out, int step) {
        __shared__ float4 s[288];
        for (int k = threadIdx.x; k < 288; k += 32) s[k] = in[k];
        __syncthreads();
        out[threadIdx.x] = s[threadIdx.x*step]; }"""
    for step, wavefronts, excess in ((1, 4, 0), (8, 32, 28), (9, 4, 0)):
        c = (
            gs.cuda(text)
            .quad[1, 32](gs.zeros((288, 4), np.float32), gs.zeros((32, 4), np.float32), step)
            .counts
        )
        assert (c.shared_load_wavefronts, c.shared_load_excess) == (wavefronts, excess)


def test_doubles_take_two_wavefronts_at_best():
    text = """extern "C" __global__ void dcol(const double* in, double* out, int pitch, int step) {
        extern __shared__ double d[];
        for (int k = threadIdx.x; k < 32*pitch; k += 32) d[k] = in[k];
        __syncthreads();
        out[threadIdx.x] = d[threadIdx.x*step]; }"""
    found = []
    for pitch, step in ((32, 1), (32, 2), (32, 32), (33, 33), (34, 34)):
        c = (
            gs.cuda(text)
            .dcol[1, 32, 8 * 32 * pitch](gs.zeros(32 * 34, np.float64), gs.zeros(32, np.float64), pitch, step)
            .counts
        )
        found.append((c.shared_load_wavefronts, c.shared_load_excess))
    assert found == [(2, 0), (4, 2), (32, 30), (2, 0), (4, 2)]


def test_a_32_by_32_tile_has_992_excess_wavefronts_and_none_on_the_store():
    text = """extern "C" __global__ void flip32(const float* in, float* out) {
        __shared__ float t[32][PITCH];
        t[threadIdx.y][threadIdx.x] = in[threadIdx.y*32 + threadIdx.x];
        __syncthreads();
        out[threadIdx.y*32 + threadIdx.x] = t[threadIdx.x][threadIdx.y]; }"""
    for pitch, wavefronts in ((32, 1024), (33, 32)):
        c = (
            gs.cuda("#define PITCH 32\n" + text, PITCH=pitch)
            .flip32[1, (32, 32)](gs.zeros(1024, np.float32), gs.zeros(1024, np.float32))
            .counts
        )
        assert (c.shared_store_requests, c.shared_store_wavefronts) == (32, 32)
        assert (c.shared_load_wavefronts, c.shared_load_excess) == (wavefronts, wavefronts - 32)
        assert c.global_load_sectors_per_request == c.global_store_sectors_per_request == 4


# Occupancy, divergence, waves.


def test_92_registers_and_224_threads_leave_14_warps():
    warps = {t: gs.occupancy("A100", threads=t, registers=92) for t in (96, 128, 160, 192, 224, 256)}
    assert [o.blocks for o in warps.values()] == [6, 5, 4, 3, 2, 2]
    assert [o.warps for o in warps.values()] == [18, 20, 20, 18, 14, 16]
    assert gs.occupancy("T4", threads=224, registers=92).fraction == 14 / 32
    assert gs.occupancy("A100", threads=224, registers=41) == gs.occupancy("A100", threads=224, registers=43)


def test_one_block_too_many_and_blocks_that_differ():
    assert [gs.waves("A100", b, per_sm=1).count for b in (108, 109)] == [1, 2]
    assert round(gs.waves("A100", 109, per_sm=1).utilisation, 3) == 0.505
    assert [gs.waves("T4", b, per_sm=4).count for b in (160, 161)] == [1, 2]
    four = gs.TOY.with_(sms=4)
    assert [gs.models.blocks.schedule(four, d, per_sm=1).end for d in ([4] + 8 * [1], 8 * [1] + [4])] == [
        4,
        6,
    ]


# Kernels with a mistake.


def test_integer_division_leaves_the_last_rows():
    text = """extern "C" __global__ void scale2(float* d, int n) {
        int x = blockIdx.x*32 + threadIdx.x, y = blockIdx.y*32 + threadIdx.y;
        if (x < n && y < n) d[y*n + x] *= 2.f; }"""
    d = gs.full((1000, 1000), 1, np.float32)
    gs.cuda(text).scale2[(1000 // 32, 1000 // 32), (32, 32)](d, 1000)
    assert (gs.asnumpy(d) == 1).sum() == 15936


BIG = """
#ifndef NB
#define NB 6144
#endif
extern "C" __global__ void big(float* out) {
  __shared__ float s[2][NB];
  for (int k = threadIdx.x; k < NB; k += 32) { s[0][k] = k; s[1][k] = -k; }
  __syncthreads();
  out[threadIdx.x] = s[0][threadIdx.x*7 % NB] + s[1][threadIdx.x];
}"""


def test_one_float_too_many_in_shared_memory():
    gs.cuda(BIG).big[1, 32](gs.zeros(32, np.float32))
    with pytest.raises(gs.LaunchError, match="49,160 bytes.*49,152 bytes"):
        gs.cuda(BIG, NB=6145).big[1, 32](gs.zeros(32, np.float32))


@pytest.mark.parametrize(("card", "stages"), [("T4", 1), ("A100", 3), ("H100", 4)])
def test_dynamic_shared_memory_fits_as_many_stages_as_the_card_allows(card, stages):
    k = gs.cuda(
        "__global__ void k(float *o) { extern __shared__ float s[]; s[threadIdx.x] = 1; o[threadIdx.x] = s[threadIdx.x]; }"
    ).k
    gs.launch(k, 1, 32, gs.zeros(32, np.float32), shared=stages * 49152, gpu=gs.GPUS[card])
    with pytest.raises(gs.LaunchError, match=card):
        gs.launch(k, 1, 32, gs.zeros(32, np.float32), shared=(stages + 1) * 49152, gpu=gs.GPUS[card])


def test_half_the_store_sectors():
    text = """extern "C" __global__ void two(float4* o, int mode) {
        int t = threadIdx.x;
        float4 z = make_float4(t, t, t, t);
        if (mode == 0) { o[2*t] = z; o[2*t + 1] = z; } else { o[t] = z; o[32 + t] = z; } }"""
    sectors = [
        gs.cuda(text).two[1, 32](gs.zeros((64, 4), np.float32), mode).counts.global_store_sectors
        for mode in (0, 1)
    ]
    assert sectors == [64, 32]


# Races, barriers, unset memory.

NEAREST = """
extern "C" __global__ void nearest(const float* ref, const float* pt, float* best, int nref) {
  __shared__ float tile[64];
  float x = pt[threadIdx.x], d = 1e30f;
  for (int m = 0; m < nref; m += 64) {
    tile[threadIdx.x] = ref[m + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) d = fminf(d, fabsf(x - tile[k]));
    %s
  }
  best[threadIdx.x] = d;
}"""


@pytest.mark.parametrize(("end", "tiles", "racy"), [("", 1, 0), ("", 2, 64), ("__syncthreads();", 2, 0)])
def test_a_missing_barrier_shows_with_two_tiles_only(end, tiles, racy):
    arrays = [
        gs.asarray(np.random.default_rng(s).random(64 * n, np.float32)) for s, n in ((1, tiles), (2, 1))
    ]
    reports = gs.cuda(NEAREST % end).nearest[1, 64](*arrays, gs.zeros(64, np.float32), 64 * tiles).reports
    assert sum(r.count for r in reports) == racy
    for r in reports:
        assert (r.kind, r.array, {r.line, r.other_line}) == ("write-after-read race", "tile", {5, 7})


PARTIAL = """
extern "C" __global__ void partial(const float* v, float* out, int n) {
  __shared__ float s[128];
  float acc = 0.f;
  for (int i = threadIdx.x; i < n; i += 128) {
    s[threadIdx.x] = v[i];
    __syncthreads();
    acc += s[(threadIdx.x + 1) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}"""


def test_a_strided_loop_with_a_barrier_and_a_length_that_does_not_divide():
    v, out = gs.zeros(300, np.float32), gs.zeros(128, np.float32)
    assert not gs.cuda(PARTIAL).partial[1, 128](v, out, 256).reports
    reports = gs.cuda(PARTIAL).partial[1, 128](v, out, 300).reports
    assert any("44 of 128" in r.message for r in reports)
    with pytest.raises(gs.BarrierError):
        gs.launch(gs.cuda(PARTIAL).partial, 1, 128, v, out, 300, gpu=gs.GTX_980)


def test_n_plus_equals_one_by_all_threads_is_a_race_and_an_atomic_is_none():
    text = """extern "C" __global__ void tally(int* out) {
        __shared__ int n;
        if (threadIdx.x == 0) n = 0;
        __syncthreads();
        %s;
        __syncthreads();
        if (threadIdx.x == 0) out[0] = n; }"""
    for block in (2, 64):
        out = gs.zeros(1, np.int32)
        assert gs.cuda(text % "n += 1").tally[1, block](out).reports
        run = gs.cuda(text % "atomicAdd(&n, 1)").tally[1, block](out)
        assert not run.reports and gs.asnumpy(out)[0] == block
        assert run.counts.shared_atomic_requests == -(-block // 32)


def test_variables_at_file_scope_start_with_what_the_text_gives_them():
    program = gs.cuda("""
struct S { int x; float y; };
__constant__ int table[2][2] = {{1, 2}, {3}};
__constant__ S pairs[2] = {{1, 2}, {3}};
__constant__ char word[4] = "abc";
__device__ unsigned most = -1;
__device__ float4 four = make_float4(1, 2, 3, 4);
__device__ int total = 5;
const float weights[3] = {0.5f, 1, 2};
__global__ void k(double *a) {
  double values[] = {table[0][1] + table[1][1], pairs[0].y + pairs[1].x, word[1], most, four.w, weights[0]};
  for (int i = 0; i < 6; ++i) a[i] = values[i];
  a[6] = atomicAdd(&total, 1);
}""")
    a = gs.zeros(7)
    program.k[1, 1](a)
    assert gs.asnumpy(a).tolist() == [2, 5, ord("b"), 2**32 - 1, 4, 0.5, 5]
    program.k[1, 1](a)
    assert gs.asnumpy(a)[6] == 6  # the variable lives as long as the program


@pytest.mark.parametrize("kind", ["float", "float4"])
def test_what_all_lanes_read_from_one_place_stays_when_the_place_changes(kind):
    """The end of a reduction that uses its array again: `largest = part[0]`, a barrier, new values in part."""
    text = f"""__global__ void keep({kind} *memory, float *out) {{
        __shared__ {kind} part[32];
        int t = threadIdx.x;
        part[t] = memory[t];
        __syncthreads();
        {kind} shared = part[0], global = memory[0];
        __syncthreads();
        part[t] = memory[31 - t];
        __syncthreads();
        memory[t] = part[t];
        out[t] = {"shared + global" if kind == "float" else "shared.x + global.x"};
    }}"""
    width = {"float": 1, "float4": 4}[kind]
    memory, out = gs.asarray(np.arange(32.0 * width, dtype=np.float32) + 1), gs.zeros(32, np.float32)
    gs.cuda(text).keep[1, 32](memory, out)
    assert (gs.asnumpy(out) == 2).all()
