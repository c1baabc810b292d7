"""The one table of counts: name, unit, meaning, and what Nsight Compute calls it on a real GPU.

Plots, tables and comparisons with hardware read this table; nothing else spells these names out.
"""

from __future__ import annotations

from dataclasses import dataclass

from .units import warps_of

SPACES = ("global_load", "global_store", "global_atomic", "shared_load", "shared_store", "shared_atomic")


@dataclass(frozen=True)
class Counter:
    """One count: `name` is the attribute of `run.counts`; `ncu` is its name in Nsight Compute, or ''.

    `exact` is False where the hardware counter may exceed the kernel's own count (retries, scheduling), or
    where the compiler decides how many instructions a statement becomes.
    """

    name: str
    unit: str
    meaning: str
    ncu: str = ""
    exact: bool = True


def _of_space(space):
    """The counters of one kind of access, such as global loads."""
    memory, kind = space.split("_")
    words = {"load": "loads", "store": "stores", "atomic": "atomics"}[kind]
    op = {"load": "ld", "store": "st", "atomic": "red" if memory == "global" else "atom"}[kind]
    requests = (
        f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"
        if memory == "global"
        else f"smsp__inst_executed_op_shared_{op}.sum"
    )
    yield Counter(
        f"{space}_requests",
        "requests",
        f"{memory} {words}: one warp, one instruction, at least one active lane",
        requests,
    )
    yield Counter(f"{space}_bytes", "bytes", f"bytes that the active lanes of {memory} {words} ask for")
    if memory == "global":
        yield Counter(
            f"{space}_sectors",
            "32-byte sectors",
            f"distinct aligned 32-byte pieces of each request, summed over all {memory} {words}",
            f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum",
        )
        yield Counter(
            f"{space}_distinct_sectors",
            "32-byte sectors",
            f"distinct sectors of {memory} {words} over the launch: what an ideal cache would move",
        )
    else:
        yield Counter(
            f"{space}_wavefronts",
            "wavefronts",
            f"rounds at the 32 banks that {memory} {words} take",
            f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum",
            exact=False,
        )
        yield Counter(
            f"{space}_excess",
            "wavefronts",
            f"rounds of {memory} {words} beyond the fewest possible: bank conflicts",
            f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum",
            exact=False,
        )


_TABLE = (
    Counter(
        "warp_instructions",
        "warp instructions",
        "loads, stores, arithmetic on data and ifs, once a warp",
        "smsp__inst_executed.sum",
        exact=False,
    ),
    Counter(
        "thread_instructions",
        "thread instructions",
        "the same, once for each active lane",
        "smsp__thread_inst_executed.sum",
        exact=False,
    ),
    Counter(
        "branches",
        "branches",
        "ifs, once for each warp that reaches one",
        "smsp__sass_branch_targets.sum",
        exact=False,
    ),
    Counter(
        "divergent_branches",
        "branches",
        "ifs whose two sides both have active lanes",
        "smsp__sass_branch_targets_threads_divergent.sum",
        exact=False,
    ),
    Counter("divergent_loops", "branches", "loop conditions whose two sides both have active lanes"),
    Counter(
        "barriers", "warp instructions", "__syncthreads, once a warp", "sass__inst_executed_per_opcode (BAR)"
    ),
    Counter(
        "shuffles",
        "warp instructions",
        "lanes of a warp exchange registers",
        "sass__inst_executed_per_opcode (SHFL)",
    ),
    Counter(
        "tensor_instructions",
        "warp instructions",
        "a warp multiplies 16 x 16 by 16 x 8 half-precision numbers on tensor cores (a T4 takes two for that)",
        "sass__inst_executed_per_opcode (HMMA)",
    ),
    Counter(
        "flops",
        "operations",
        "floating-point operations of active lanes; a multiply-add is two, a tensor instruction 4096 a warp",
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
        " + smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"
        " + 2 * smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        exact=False,
    ),
    *(counter for space in SPACES for counter in _of_space(space)),
)

_DERIVED = (
    Counter(
        "simd_efficiency",
        "share",
        "thread instructions / (32 x warp instructions)",
        "smsp__thread_inst_executed_per_inst_executed.ratio / 32",
        exact=False,
    ),
    *(
        Counter(
            f"{space}_sectors_per_request",
            "sectors a request",
            f"{space}_sectors / {space}_requests",
            f"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{op}.ratio",
        )
        for space, op in (("global_load", "ld"), ("global_store", "st"), ("global_atomic", "red"))
    ),
    *(
        Counter(
            f"{space}_wavefronts_per_request",
            "wavefronts a request",
            f"{space}_wavefronts / {space}_requests",
            exact=False,
        )
        for space in SPACES[3:]
    ),
)

COUNTERS = {counter.name: counter for counter in _TABLE}  # what the machine counts, Python ints
DERIVED = {counter.name: counter for counter in _DERIVED}  # ratios of those


def counter(name) -> Counter:
    """Look one count up.

    >>> counter("global_load_sectors").unit, counter("global_load_sectors").ncu
    ('32-byte sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum')
    """
    found = COUNTERS.get(name) or DERIVED.get(name)
    if found is None:
        raise KeyError(f"no count is called {name!r}; there are {', '.join([*COUNTERS, *DERIVED])}")
    return found


TENSOR_FLOPS = 2 * 16 * 8 * 16  # of one tensor instruction, mma.m16n8k16


@dataclass(frozen=True)
class LoadLoop:
    """A loop whose loads may run ahead: no barrier, store or atomic in it holds them back.

    rounds : waits of a warp for its loads, if the loads of one iteration went out at a time
    loads : registers that the loads of one iteration fill
    accumulators : registers that the loop carries from one iteration to the next
    """

    rounds: float
    loads: int
    accumulators: int = 1


@dataclass(frozen=True)
class LaunchCounts:
    """What the time model needs to know about one launch: sums over the launch unless said otherwise.

    A round is a time that a warp waits: from the first use of a loaded value until the load is back.  Loads
    that went out before that use share the round.  Rounds are means over the launch's warps.
    """

    blocks: int
    threads: int  # of one block
    shared_bytes: int = 0  # of one block, static and dynamic
    registers: int | None = None  # of one thread; None: not known

    warp_instructions: int = 0  # by the counting rule, or the machine's own
    start_instructions: int = 14  # more of them that every warp executes; 0 if the machine's own were counted
    l1_data: int = 0  # rounds of L1's data stage: shared memory, global loads, global stores
    l1_start: int = 1  # more of them for every warp, at its start; 0 if they are in l1_data
    l1_tag: int = 0  # rounds of L1's tag stage
    l1_bytes: int = 0  # bytes that the lanes ask of shared and global memory
    l2_read_sectors: int = 0  # distinct load sectors of each block, summed over blocks: an ideal L1
    store_sectors: int = 0  # sectors of each global store, summed
    partial_sectors: int = 0  # those of them that the request does not fill
    footprint: int = 0  # distinct bytes of global memory that are touched
    dram_bytes: int = 0  # the same in the pieces that memory moves, plus one read of each sector never filled

    rounds: float = 0.0  # waits for global loads of which some sector is new to the warp
    l1_rounds: float = 0.0  # waits for global loads of sectors that the warp has loaded before
    shared_rounds: float = 0.0  # waits for shared loads
    load_loops: tuple = ()  # LoadLoops; their rounds are not in `rounds`
    atomic_rounds: int = 0  # global atomics: sectors of each, lanes on one address apart
    atomic_pieces: int = 0  # 512-byte pieces of memory that they touch

    shared_wavefronts: int = 0  # the part of l1_data that is shared memory, to show it
    flops: int = 0  # to show them: their instructions are in warp_instructions
    tensor_flops: int = 0  # the part of them that tensor cores do

    @property
    def warps_per_block(self) -> int:
        return warps_of(self.threads)

    @property
    def warps(self) -> int:
        return self.blocks * self.warps_per_block
