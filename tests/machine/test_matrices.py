"""Matrices on the tensor cores: results as NumPy's, counts and the places of elements as an H200's."""

import json
from itertools import product

import launches
import numpy as np
import nvrtc
import pytest
from lanes import by_lanes
from measure_gpu import difference
from places import DATA

import gpusim as gs
from gpusim.models.tensor import accumulator_owner
from gpusim.rules.fragments import owned

MEASURED = json.loads((DATA / "hardware" / "wmma.json").read_text())
TEXTS = {path.stem: path.read_text() for path in (DATA / "wmma").glob("*.cu")}
HALF = np.float16


def halves(*shape, seed=0):
    return np.random.default_rng(seed).random(shape).astype(HALF)


def kernel_of_section_28(N):
    specs = [gs.spec((N, N), HALF), gs.spec((N, N), HALF), gs.spec((N, N), np.float32), N]
    return gs.load("matmul_wmma"), (N // 16, N // 64), (32, 4), specs


@pytest.mark.parametrize("N", [256, 1024, 4096])
def test_counts_of_the_books_kernel_are_the_hardwares(N):
    run = gs.count(*kernel_of_section_28(N)[:3], *kernel_of_section_28(N)[3], gpu=gs.H200)
    record = gs.hardware.recorded("matmul_wmma", gs.H200, N=N)
    for name in (
        "global_load_requests",
        "global_load_sectors",
        "global_store_requests",
        "global_store_sectors",
    ):
        assert getattr(run.counts, name) == record.counts[name]
    assert run.counts.tensor_instructions == 2 * (N // 16) ** 3
    if record.opcodes:
        assert (
            run.counts.tensor_instructions
            == record.opcodes["HMMA.16816.F32"]
            == record.counts.tensor_instructions
        )
        assert run.counts.global_load_requests == record.opcodes["LDG.E"]
        assert run.counts.global_store_requests == record.opcodes["STG.E.64"]
    assert run.counts.flops == 2 * N**3 and run.launch_counts.tensor_flops == 2 * N**3


@pytest.mark.parametrize("N", [64, 256])
def test_the_books_kernel_multiplies_and_lanes_count_as_formulas_do(N):
    kernel, grid, block, specs = kernel_of_section_28(N)
    A, B, C = halves(N, N), halves(N, N, seed=1), gs.full((N, N), np.nan, np.float32)
    run = kernel[grid, block](gs.asarray(A), gs.asarray(B), C, N)
    assert run.reports == []
    assert np.allclose(
        gs.asnumpy(C), A.astype(float) @ B.astype(float), rtol=1e-5
    )  # sums are cut off, not rounded
    assert (
        run.counts
        == gs.count(kernel, grid, block, *specs).counts
        == by_lanes(kernel, grid, block, specs).counts
    )


@pytest.mark.parametrize("layout", ["row_major row_major", "row_major col_major", "col_major row_major"])
@pytest.mark.parametrize("types", list(product(["float", "half"], repeat=2)), ids=" ".join)
@pytest.mark.parametrize("layout_c", ["row_major", "col_major"])
def test_a_product_in_any_layout_and_type(layout, types, layout_c):
    of_a, of_b = layout.split()
    kernel = gs.cuda(
        TEXTS["once"],
        LAYOUT_A=of_a,
        LAYOUT_B=of_b,
        LAYOUT_C=f"mem_{layout_c}",
        TYPE_C=types[0],
        TYPE_D=types[1],
    ).once
    kinds = {"float": np.float32, "half": HALF}
    A, B, C = halves(16, 16), halves(16, 16, seed=1), halves(16, 16, seed=2).astype(kinds[types[0]])
    right = A.astype(np.float32) @ B.astype(np.float32) + C
    D = gs.zeros((16, 32), kinds[types[1]])

    def stored(matrix, layout):  # lines of 32 elements, the second half of each of them unused
        wide = np.full((16, 32), 7, matrix.dtype)
        wide[:, :16] = matrix if layout == "row_major" else matrix.T
        return gs.asarray(wide)

    run = kernel[1, 32](stored(A, of_a), stored(B, of_b), stored(C, layout_c), D, 32, 32, 32)
    got = gs.asnumpy(D)[:, :16]
    assert np.allclose(
        got if layout_c == "row_major" else got.T, right, rtol=2e-3 if D.dtype == HALF else 1e-6
    )
    assert run.reports == [] and run.counts.tensor_instructions == 2 and not gs.asnumpy(D)[:, 16:].any()


NUMBERS = np.load(DATA / "hardware" / "wmma.npz")


@pytest.mark.parametrize("types", list(product(["float", "half"], repeat=2)), ids=" ".join)
def test_results_are_the_hardwares_bit_for_bit(types):
    """Of matrices with numbers in [0, 1), normal ones, and ones of very different size."""
    kernel = gs.cuda(TEXTS["once"], TYPE_C=types[0], TYPE_D=types[1]).once
    for A, B, C, right in zip(*(NUMBERS[x] for x in ("A", "B", f"C_{types[0]}", "_".join(["D", *types])))):
        D = gs.zeros((16, 16), right.dtype)
        kernel[1, 32](*(gs.asarray(x) for x in (A, B, C)), D, 16, 16, 16)
        assert np.array_equal(gs.asnumpy(D), right, equal_nan=True)


def test_the_books_kernel_errs_exactly_as_on_the_hardware():
    launch = next(one for one in launches.launches(["matmul_wmma"]) if one.name.endswith("N=256"))
    given = launch.arguments()
    device = [gs.asarray(a) if isinstance(a, np.ndarray) else a for a in given]
    gs.load("matmul_wmma")[launch.grid, launch.block](*device)
    error = difference(gs.asnumpy(device[2]), launch.expected(given)[2])
    assert error == pytest.approx(gs.hardware.recorded("matmul_wmma", gs.H200, N=256).error, rel=1e-9)


# ---- where elements lie, and what a load or a store costs: as an H200 did it ---------------------------------


def test_the_elements_of_each_lane_are_those_of_the_hardware():
    for key, lanes in MEASURED["elements"].items():
        use, layout, _ = key.split()
        rows, columns = owned(use)
        line, place = (rows, columns) if layout == "row_major" else (columns, rows)
        expected = (16 * line + place).T
        found = np.array(lanes)
        assert (found[:, :8] == expected).all(), key
        assert found.shape[1] == 8 or (found[:, 8:] == expected).all(), key


def test_the_accumulator_is_that_of_the_instruction():
    rows, columns = owned("accumulator")
    for lane, i in product(range(32), range(4)):  # the left half, one mma.m16n8k16
        assert accumulator_owner(int(rows[i, lane]), int(columns[i, lane])) == (lane, i)


@pytest.mark.parametrize("space", ["shared", "global"])
def test_a_load_or_store_costs_what_the_hardware_counted(space):
    for kind, use, layout, element, stride, requests, rounds in MEASURED[space]:
        counts = gs.cuda(_moving(space, kind, use, layout, element, stride)).k[1, 32](
            gs.zeros(16 * stride, HALF if element == "half" else np.float32)
        ).counts  # fmt: skip
        name = f"{space}_{kind}_"
        what = "wavefronts" if space == "shared" else "sectors"
        found = getattr(counts, name + "requests"), getattr(counts, name + what)
        assert found == (requests, rounds), (kind, use, layout, element, stride)


def _moving(space, kind, use, layout, element, stride):
    accumulator = use == "accumulator"
    own, said = ("", f", nvcuda::wmma::mem_{layout}") if accumulator else (f", nvcuda::wmma::{layout}", "")
    place = "tile" if space == "shared" else "A"
    tile = f"__shared__ {element} tile[16 * {stride}];" if space == "shared" else ""
    fill = f"for (int i = threadIdx.x; i < 16 * {stride}; i += 32) tile[i] = 0.0f; __syncwarp();"
    act = (
        f"nvcuda::wmma::load_matrix_sync(f, {place}, {stride}{said});"
        if kind == "load"
        else f"nvcuda::wmma::fill_fragment(f, 0.0f); nvcuda::wmma::store_matrix_sync({place}, f, {stride}{said});"
    )
    return f"""__global__ void k({element} *A) {{ {tile} {fill if tile and kind == "load" else ""}
        nvcuda::wmma::fragment<nvcuda::wmma::{use}, 16, 16, 16, {element}{own}> f; {act} }}"""


# ---- tiles in shared memory, arrays of fragments -------------------------------------------------------------


def run_tiled(text=TEXTS["tiled"], N=128, **options):
    A, B, C = halves(N, N), halves(N, N, seed=1), halves(N, N, seed=2).astype(np.float32)
    device, grid = gs.asarray(C), (N // 64, N // 64)
    run = gs.launch(
        gs.cuda(text).tiled, grid, 128, gs.asarray(A), gs.asarray(B), device, N, 2.0, 0.5, **options
    )
    right = 2 * A.astype(float) @ B.astype(float) + 0.5 * C
    return run, np.allclose(gs.asnumpy(device), right, rtol=3e-6)


def test_tiles_in_shared_memory_and_arrays_of_fragments():
    run, right = run_tiled()
    assert right and run.reports == []
    N, c = 128, run.counts
    products, fetches = (N // 16) ** 3, (N // 64) ** 2 * (N // 16) * 4 * 4  # blocks, steps, warps, fragments
    assert c.tensor_instructions == 2 * products and c.shared_load_requests == fetches
    assert c.shared_load_wavefronts == 4 * fetches and c.shared_load_excess == 0  # padded by 16 bytes
    assert c.flops == 2 * N**3 + 3 * N * N
    specs = [gs.spec((N, N), HALF), gs.spec((N, N), HALF), gs.spec((N, N)), N, 2.0, 0.5]
    kernel = gs.cuda(TEXTS["tiled"]).tiled
    counted = gs.count(kernel, (2, 2), 128, *specs).counts
    assert counted == c == by_lanes(kernel, (2, 2), 128, specs).counts


def test_without_padding_the_lines_of_a_tile_meet_in_the_banks():
    N = 128
    specs = [gs.spec((N, N), HALF), gs.spec((N, N), HALF), gs.spec((N, N)), N, 2.0, 0.5]
    counts = gs.count(gs.cuda(TEXTS["tiled"], PAD=0).tiled, (2, 2), 128, *specs).counts
    assert counts.shared_load_wavefronts == (8 + 32) * counts.shared_load_requests // 2


@pytest.mark.parametrize("order", ["forward", "reverse", "random:3"])
def test_a_missing_barrier_is_reported_and_shows_in_another_order(order):
    run, right = run_tiled(order=order)
    assert right and run.reports == []
    text = TEXTS["tiled"].replace("        __syncthreads();\n    }", "    }")
    run, right = run_tiled(text, order=order)
    assert not right
    reads = {TEXTS["tiled"].split("\n")[r.other_line - 1].split("(")[0].strip() for r in run.reports}
    assert reads == {"wmma::load_matrix_sync"} and {r.kind for r in run.reports} == {"write-after-read race"}


def test_a_trace_has_loads_products_and_stores_at_their_lines():
    kernel, grid, block, _ = kernel_of_section_28(64)
    run = kernel[grid, block](
        gs.zeros((64, 64), HALF), gs.zeros((64, 64), HALF), gs.zeros((64, 64), np.float32), 64
    )
    events = [e for e in run.trace(0, 1) if e.kind != "loop"]
    assert [e.kind for e in events] == 4 * (8 * ["load"] + ["tensor"]) + 4 * ["store"]
    called = {e.kind: kernel.unit.line(e.line).strip().split("(")[0].removeprefix("wmma::") for e in events}
    assert called == {"load": "load_matrix_sync", "tensor": "mma_sync", "store": "store_matrix_sync"}
    assert all(e.sectors == 8 for e in events if e.addresses is not None)
    line = next(e.line for e in events if e.kind == "tensor")
    assert run.lines[line].tensor_instructions == run.counts.tensor_instructions
    assert "load_matrix_sync" in str(run.source())


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_texts_compile_for_real_cards(name):
    folder = nvrtc.toolkit()
    if folder is None:
        pytest.skip(f"NVRTC is not installed (Linux only): pip install {nvrtc.WHEELS}")
    code, _ = nvrtc.compile_text(nvrtc.load(folder), folder, TEXTS[name], f"{name}.cu", "sm_90")
    assert code[:4] == b"\x7fELF"
