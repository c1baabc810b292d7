"""One GPU as a frozen record: every number has a unit, and says where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Real
from types import MappingProxyType

from .errors import GpusimError, LaunchError
from .inputs import near
from .units import KB, LANES, SECTOR


def _number(unit, meaning, default=None):
    return field(default=default, metadata={"unit": unit, "meaning": meaning})


@dataclass(frozen=True, repr=False)
class Gpu:
    """One card.  The first six numbers describe it; the rest follows from its capability, or is borrowed.

    >>> mine = Gpu("RTX 2050", "8.6", sms=16, clock=1.475e9, memory_bandwidth=112e9, l2_bytes=2 << 20)
    >>> mine.warps_per_sm, mine.shared_per_sm // 1024, mine.sources["warps_per_sm"]
    (48, 100, 'guide: CUDA C++ Programming Guide, compute capability 8.6')
    >>> from gpusim.gpus import H100
    >>> H100.with_(sms=64).sms, H100.sources["l2_latency"]
    (64, 'borrowed: measured on the H200, in cycles')
    >>> H100, mine
    (H100, Gpu('RTX 2050', '8.6', sms=16, ...))

    `sources` gives the origin of each number; its first word is one of datasheet, guide (NVIDIA's programming
    guide), measured, fitted, published (a paper), lecture, given (by you), derived (from other numbers of the
    card) or borrowed (from the H200, the only card that was measured here).
    """

    name: str
    compute_capability: str = _number("", "what the SMs can do, such as 9.0")
    sms: int = _number("SMs", "streaming multiprocessors")
    clock: float = _number("Hz", "SM clock under load")
    memory_bandwidth: float = _number("bytes/s", "device memory, as printed in the datasheet")
    l2_bytes: int = _number("bytes", "L2 cache")

    fp32_flops: float = _number("FLOP/s", "multiply-adds of FP32 count as two")
    tf32_flops: float = _number("FLOP/s", "tensor cores, TF32, dense; 0: none")
    fp16_flops: float = _number("FLOP/s", "tensor cores, FP16 with FP32 accumulation, dense; 0: none")

    fp32_lanes: int = _number("lanes", "FP32 multiply-adds an SM starts in a cycle")
    schedulers_per_sm: int = _number("schedulers", "each issues one warp instruction a cycle")
    warps_per_sm: int = _number("warps", "most that can be resident on an SM")
    blocks_per_sm: int = _number("blocks", "most that can be resident on an SM")
    registers_per_sm: int = _number("registers", "32 bits each")
    registers_per_block: int = _number("registers", "most that one block may use")
    registers_per_thread: int = _number("registers", "most that one thread may use")
    register_unit: int = _number("registers", "a warp's registers are given out in multiples of this")
    warp_unit: int = _number("warps", "the warps that registers allow are rounded down to a multiple of this")
    shared_per_sm: int = _number("bytes", "shared memory of an SM")
    l1_bytes: int = _number("bytes", "L1 and shared memory of an SM together; 0: two separate memories")
    shared_per_block: int = _number("bytes", "static shared memory of a block")
    shared_per_block_optin: int = _number("bytes", "dynamic shared memory of a block, after opting in")
    shared_reserved: int = _number("bytes", "taken from each block's share by the system")
    shared_unit: int = _number("bytes", "shared memory is given out in multiples of this")
    threads_per_block: int = _number("threads", "most in a block")
    block_shape: tuple = _number("threads", "most in x, y and z of a block")
    grid_shape: tuple = _number("blocks", "most in x, y and z of a grid")

    copy_bandwidth: float = _number("bytes/s", "device memory, read plus write, that a large copy reaches")
    l2_bandwidth: float = _number("bytes/s", "reads that hit L2")
    l1_bytes_per_cycle: int = _number("bytes/cycle", "data path of L1 and shared memory, an SM")
    shared_latency: float = _number("cycles", "from a shared load to its use")
    l1_latency: float = _number("cycles", "from a global load to its use if L1 has it")
    l2_latency: float = _number("cycles", "... if L2 has it")
    dram_latency: float = _number("cycles", "... if device memory has it")
    launch: float = _number("s", "an empty kernel, launched in a graph; some 7 µs alone, between two events")
    start_block: float = _number("cycles", "from a free slot to a block's first instruction")
    start_warp: float = _number("cycles", "more of that for each warp of the block")
    block_rate: float = _number("blocks/s", "blocks that the whole card can start")
    partial_rate: float = _number("sectors/s", "stores that fill only part of a sector, whole card")
    issue_gap: float = _number("cycles", "between two instructions of a warp that is alone")
    atomic_rate: float = _number("rounds/s", "rounds of global atomics on 512 bytes of memory")

    sources: Mapping = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self):
        for name in _NUMBERS:  # before others are derived from them
            if getattr(self, name) is not None or name in _DESCRIBE:
                self._check(name, getattr(self, name))
        sources = {n: self.sources.get(n, "given") for n in _NUMBERS if getattr(self, n) is not None}
        rules = (_limits(self.compute_capability), _DERIVED)
        for rule in rules:
            for name, (value, source) in rule.items():
                if getattr(self, name) is None:
                    object.__setattr__(self, name, value(self) if callable(value) else value)
                    sources[name] = source
        object.__setattr__(self, "sources", MappingProxyType(sources))
        for name in _NUMBERS:
            self._check(name, getattr(self, name))

    def _check(self, name, value):
        if name == "compute_capability" or isinstance(value, tuple):
            return
        lowest = 0 if name in _MAY_BE_ZERO else 1e-12
        if isinstance(value, bool) or not isinstance(value, Real) or not value >= lowest:
            raise LaunchError(
                f"{self.name}: {name} must be a {'' if lowest == 0 else 'positive '}number of "
                f"{_NUMBERS[name]['unit']}, not {value!r}"
            )

    def __repr__(self):
        """A card of the book by its name, another one by what describes it."""
        described = f"Gpu({self.name!r}, {self.compute_capability!r}, sms={self.sms}, ...)"
        return NAMED.get(self, described)

    @property
    def threads_per_sm(self) -> int:
        """Threads that can be resident on an SM."""
        return LANES * self.warps_per_sm

    def with_(self, **changes) -> Gpu:
        """The same card with other numbers; peaks follow SMs and clock, borrowed numbers are derived anew.

        >>> from gpusim.gpus import T4
        >>> T4.with_(clock=T4.clock / 2).fp32_flops == T4.fp32_flops / 2
        True
        """
        unknown = [name for name in changes if name not in _NUMBERS and name != "name"]
        if unknown:
            raise GpusimError(f"a Gpu has no {unknown[0]!r}", hint=near(unknown[0], _NUMBERS, any_case=True))
        stale = ("derived", "borrowed") + (("guide",) if "compute_capability" in changes else ())
        kept = {n: getattr(self, n) for n in _NUMBERS if not self.sources[n].startswith(stale)}
        for name in ("sms", "clock"):
            if name in changes:
                self._check(name, changes[name])
        speed = changes.get("sms", self.sms) * changes.get("clock", self.clock) / (self.sms * self.clock)
        for name in _SCALES:
            if name in kept and speed != 1:
                kept[name] *= speed
        kept.update(changes)
        sources = {n: "given" if n in changes else self.sources[n] for n in kept}
        return Gpu(**{"name": self.name, **kept, "sources": sources})

    def table(self) -> list[tuple]:
        """Rows (name, value, unit, meaning, source), in the order of the record."""
        return [(n, getattr(self, n), m["unit"], m["meaning"], self.sources[n]) for n, m in _NUMBERS.items()]


NAMED = {}  # {card: the name that the package has it under}; gpus.py enters its own
_NUMBERS = {f.name: f.metadata for f in fields(Gpu) if f.metadata}
_DESCRIBE = ("sms", "clock", "memory_bandwidth", "l2_bytes")  # of a card: nothing gives them but the caller
_MAY_BE_ZERO = (
    "tf32_flops",
    "fp16_flops",
    "shared_reserved",
    "l1_bytes",
    "launch",
    "start_block",
    "start_warp",
)
_SCALES = ("fp32_flops", "tf32_flops", "fp16_flops", "partial_rate")  # with SMs and clock

# What the SMs of a compute capability hold: resident warps and blocks, FP32 lanes, KB of shared memory of an
# SM and of a block (after opting in) and of L1 with it, bytes a cycle of the L1 data path.
_CAPABILITIES = {
    "5.2": (64, 32, 128, 96, 48, 0, 128),
    "6.0": (64, 32, 64, 64, 48, 0, 128),
    "6.1": (64, 32, 128, 96, 48, 0, 128),
    "7.0": (64, 32, 64, 96, 96, 128, 128),
    "7.5": (32, 16, 64, 64, 64, 96, 64),
    "8.0": (64, 32, 64, 164, 163, 192, 128),
    "8.6": (48, 16, 128, 100, 99, 128, 128),
    "8.9": (48, 24, 128, 100, 99, 128, 128),
    "9.0": (64, 32, 128, 228, 227, 256, 128),
    "10.0": (64, 32, 128, 228, 227, 256, 128),
    "12.0": (48, 24, 128, 100, 99, 128, 128),
}


def _limits(capability):
    """The limits that the programming guide prints for a compute capability: name -> (value, source)."""
    if capability not in _CAPABILITIES:
        raise LaunchError(
            f"no limits are known for compute capability {capability!r}; known are "
            f"{', '.join(_CAPABILITIES)}",
            hint="take the nearest, then .with_(...)",
        )
    warps, blocks, lanes, shared, optin, l1, path = _CAPABILITIES[capability]
    ampere = int(capability.split(".")[0]) >= 8
    values = dict(
        warps_per_sm=warps,
        blocks_per_sm=blocks,
        fp32_lanes=lanes,
        schedulers_per_sm=4,
        registers_per_sm=65536,
        registers_per_block=65536,
        registers_per_thread=255,
        register_unit=256,
        warp_unit=4,
        shared_per_sm=shared * KB,
        l1_bytes=l1 * KB,
        shared_per_block=48 * KB,
        shared_per_block_optin=optin * KB,
        shared_reserved=KB if ampere else 0,
        shared_unit=128 if ampere else 256,
        threads_per_block=1024,
        block_shape=(1024, 1024, 64),
        grid_shape=(2**31 - 1, 65535, 65535),
    )
    source = f"guide: CUDA C++ Programming Guide, compute capability {capability}"
    rules = {name: (value, source) for name, value in values.items()}
    return {**rules, "l1_bytes_per_cycle": (path, "published: microbenchmarks, from memory; H200: measured")}


_DERIVED = {
    "fp32_flops": (lambda g: 2.0 * g.sms * g.fp32_lanes * g.clock, "derived: 2 x SMs x lanes x clock"),
    "tf32_flops": (0.0, "derived: none stated"),
    "fp16_flops": (0.0, "derived: none stated"),
    "copy_bandwidth": (lambda g: 0.88 * g.memory_bandwidth, "borrowed: 0.88 of the datasheet, as the H200"),
    "l2_bandwidth": (
        lambda g: float(SECTOR) * g.sms * g.clock,
        "borrowed: 32 bytes a cycle and SM, as the H200",
    ),
    "shared_latency": (28.8, "borrowed: measured on the H200, in cycles"),
    "l1_latency": (41.6, "borrowed: measured on the H200, in cycles"),
    "l2_latency": (287.0, "borrowed: measured on the H200, in cycles"),
    "dram_latency": (674.0, "borrowed: measured on the H200, in cycles"),
    "launch": (0.54e-6, "borrowed: measured on the H200"),
    "start_block": (200.0, "borrowed: fitted to the H200"),
    "start_warp": (30.0, "borrowed: fitted to the H200"),
    "block_rate": (lambda g: 0.9 * g.clock, "borrowed: 0.9 blocks a cycle, fitted to the H200"),
    "partial_rate": (
        lambda g: 0.3 * g.l2_bandwidth / SECTOR,
        "borrowed: 0.3 of the L2 read rate, as the H200",
    ),
    "issue_gap": (3.0, "borrowed: fitted to the H200"),
    "atomic_rate": (lambda g: 0.687 * g.clock, "borrowed: 0.687 rounds a cycle, read off the H200"),
}
