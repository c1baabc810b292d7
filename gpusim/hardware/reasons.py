"""Why a simulated count and a measured one differ: what the compiler changed, launch by launch."""

from __future__ import annotations

from fnmatch import fnmatchcase

PREDICATED = "the compiler makes this condition a predicate of the instructions behind it: no branch is left"
UNROLLED = (
    "the compiler unrolls the loop; the rounds left over run apart, with branches and requests of their own"
)
MERGED = "the compiler merges shared loads of neighbouring words into one wide load"
KEPT = "with no barrier behind the store, the compiler keeps the value in a register instead of loading it"
ADDED_UP = "the compiler lets one lane of a warp add the sum of all lanes"
TURNS = "lanes on one address take turns; on many addresses at once the rule for turns is 2 % too low"
MATRIX_LOADS = (
    "a hardware counter that includes repeats under load: instrumenting leaves loads of fragments (LDSM) out"
)
REUSED = "the compiler keeps what a thread has read in a register instead of reading it again"
ASYNC = "cp.async writes shared memory without a store instruction: no counter of stores sees it"
CHANCE = "how far a block looks back depends on how far the others are: other counts in every run"
UNDER_LOAD = (
    "a hardware counter that includes repeats under load and instructions off in all lanes; the launch is "
    "too long to be instrumented"
)

DIVERGENT, LOADS = "divergent_branches", "global_load_requests"
# (pattern of launch names, count, reason): every launch that fits differs in that count, and no other does
DIFFERENCES = (
    ("vector_add n=1000", DIVERGENT, PREDICATED),
    ("multiply_double n=8191", DIVERGENT, PREDICATED),
    ("matrix_add Nx=11 Ny=5 *", DIVERGENT, PREDICATED),
    ("bias_tile rows=256 cols=63", DIVERGENT, PREDICATED),
    ("bias_column rows=256 cols=63", DIVERGENT, PREDICATED),
    ("scale_square n=1000", DIVERGENT, PREDICATED),
    ("matmul_tiled_guarded N=10*", DIVERGENT, PREDICATED),
    ("matmul_tiled_switches N=10 *", DIVERGENT, PREDICATED),
    ("conv_shared *", DIVERGENT, PREDICATED),
    ("conv_no_barrier *", DIVERGENT, PREDICATED),
    ("reduce_*", DIVERGENT, PREDICATED),
    ("transpose_guarded rows=1000 *", DIVERGENT, PREDICATED),
    ("transpose_guarded rows=70 *", DIVERGENT, PREDICATED),
    ("matvec_*", DIVERGENT, PREDICATED),
    ("compress_24 *", DIVERGENT, PREDICATED),
    ("spmv_warp *", DIVERGENT, PREDICATED),
    ("spmv_group * LANES=[!1]*", DIVERGENT, PREDICATED),
    ("spmv_group * LANES=1[0-9]", DIVERGENT, PREDICATED),
    ("spmv_thread * data=uneven", DIVERGENT, UNROLLED),
    ("spmv_group * data=uneven LANES=1", DIVERGENT, UNROLLED),
    ("trips *", DIVERGENT, UNROLLED),
    ("spmv_thread * data=uneven", LOADS, UNROLLED),
    ("spmv_thread * data=uneven", "global_load_sectors", UNROLLED),
    ("spmv_group * data=uneven LANES=[18]", LOADS, UNROLLED),
    ("spmv_group * data=uneven LANES=1", "global_load_sectors", UNROLLED),
    ("spmv_group rows=65536 * data=uneven LANES=8", "global_load_sectors", UNROLLED),
    ("matmul_tiled * UNROLL=*", "shared_load_requests", MERGED),
    ("matmul_tiled * UNROLL=*", "shared_load_wavefronts", MERGED),
    ("conv_no_barrier *", "shared_load_requests", KEPT),
    ("conv_no_barrier *", "shared_load_wavefronts", KEPT),
    ("counter_atomic *", "global_atomic_sectors", ADDED_UP),
    ("histogram_global * data=random", "global_atomic_sectors", TURNS),
    *(
        (pattern, f"shared_{access}_{what}", why)
        for pattern, access, why in (
            ("attention_scores *", "load", MERGED),
            ("attention_values *", "load", MERGED),
            ("attention_online *", "load", REUSED),
            ("scan_blocks *", "load", MERGED),
            ("scan_lookback *", "load", MERGED),
            ("spmv_merge *", "load", REUSED),
            ("spmv_merge * ITEMS=8", "store", UNROLLED),
            ("matmul_async *", "store", ASYNC),
        )
        for what in ("requests", "wavefronts")
    ),
    ("attention_softmax *", DIVERGENT, PREDICATED),
    ("scan_blocks *", DIVERGENT, PREDICATED),
    ("scan_lookback *", DIVERGENT, PREDICATED),
    ("scan_lookback *", "global_atomic_requests", CHANCE),
    ("scan_lookback n=262144 *", "global_atomic_sectors", CHANCE),
    ("scan_lookback *", "shuffles", CHANCE),
    ("spmv_merge *", DIVERGENT, PREDICATED),
    ("spmv_merge * ITEMS=8", LOADS, UNROLLED),
    ("spmv_merge *", "global_load_sectors", UNROLLED),
    ("spmv_merge * data=uneven *", "global_atomic_requests", UNROLLED),
    ("spmv_merge rows=256 * data=uneven *", "global_atomic_sectors", UNROLLED),
    ("matmul_wmma_tiled N=[14]*", "shared_load_wavefronts", MATRIX_LOADS),
)


def reason(launch, count, instrumented=True):
    """Why a launch's simulated count may differ from the measured one; None where the two must be equal.

    launch : name of a measured launch, such as `matmul_tiled N=256 TILE=16`; count : gpusim's name
    instrumented : False where only hardware counters were read, which are noisy for shared memory

    >>> reason("reduce_v2 n=4096 BLOCK=256", "divergent_branches") == PREDICATED
    True
    >>> reason("reduce_v2 n=4096 BLOCK=256", "global_load_sectors") is None
    True
    """
    for pattern, name, why in DIFFERENCES:
        if name == count and fnmatchcase(launch, pattern):
            return why
    return UNDER_LOAD if count.startswith("shared_") and not instrumented else None
