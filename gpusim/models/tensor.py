"""Tensor cores: one instruction multiplies small matrices, and why it must add up in FP32."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import GpusimError, is_whole
from ..gpus import as_gpu
from ..units import LANES


@dataclass(frozen=True)
class MatrixInstruction:
    """An instruction that computes m x n x k multiply-adds, issued once by `warps` warps together."""

    m: int
    n: int
    k: int
    warps: int = 1

    @property
    def multiply_adds(self) -> int:
        return self.m * self.n * self.k


INSTRUCTIONS = {
    "ffma": MatrixInstruction(LANES, 1, 1),  # the CUDA cores: one multiply-add for each lane
    "wmma.m16n16k16": MatrixInstruction(16, 16, 16),
    "mma.m16n8k16": MatrixInstruction(16, 8, 16),
    "wgmma.m64n64k16": MatrixInstruction(64, 64, 16, warps=4),
}
# Dense FP16 operations (a multiply-add is two) of one SM in a cycle, by compute capability: whitepapers.
TENSOR_FLOPS_PER_CYCLE = {"7.0": 1024, "7.5": 1024, "8.0": 2048, "9.0": 4096}


def instruction_count(m, n, k, instruction) -> int:
    """Instructions that multiply an m x k by a k x n matrix; a tile that is not full costs a whole one.

    instruction : a key of INSTRUCTIONS

    >>> [instruction_count(64, 64, 64, name) for name in ("ffma", "mma.m16n8k16", "wgmma.m64n64k16")]
    [8192, 128, 4]
    """
    if instruction not in INSTRUCTIONS:
        known = ", ".join(INSTRUCTIONS)
        raise GpusimError(f"no matrix instruction {instruction!r}; there are {known}")
    if not all(is_whole(size, 1) for size in (m, n, k)):
        raise GpusimError(f"a matrix product of {m} x {n} x {k}: every size is at least 1")
    tile = INSTRUCTIONS[instruction]
    return -(-m // tile.m) * -(-n // tile.n) * -(-k // tile.k)


@dataclass(frozen=True)
class Peak:
    """A peak rate as a product: SMs x operations of an SM in a cycle x clock (Hz)."""

    sms: int
    per_cycle: float
    clock: float

    @property
    def flops(self) -> float:
        return self.sms * self.per_cycle * self.clock

    def over(self, other) -> dict:
        """How many times `other` this is, and the factors that make it up.

        >>> factors = peak("H100", "fp16").over(peak("GTX 980", "fp32"))
        >>> {name: round(factor, 2) for name, factor in factors.items()}
        {'ratio': 214.52, 'sms': 8.25, 'per_cycle': 16.0, 'clock': 1.63}
        """
        return {
            "ratio": self.flops / other.flops,
            "sms": self.sms / other.sms,
            "per_cycle": self.per_cycle / other.per_cycle,
            "clock": self.clock / other.clock,
        }


def peak(gpu, precision="fp32") -> Peak:
    """The peak of the CUDA cores ("fp32") or of the tensor cores ("fp16", FP32 accumulation, dense).

    The clock is the one that the datasheet's peak implies: boost clocks of the two differ.
    """
    gpu = as_gpu(gpu)
    if precision not in ("fp32", "fp16"):
        raise GpusimError(f"precision is 'fp32' or 'fp16', not {precision!r}")
    if precision == "fp32":
        per_cycle, flops = 2 * gpu.fp32_lanes, gpu.fp32_flops
    else:
        per_cycle, flops = TENSOR_FLOPS_PER_CYCLE.get(gpu.compute_capability, 0), gpu.fp16_flops
    if not per_cycle or not flops:
        raise GpusimError(f"no tensor-core peak is known for the {gpu.name}")
    return Peak(gpu.sms, per_cycle, flops / (gpu.sms * per_cycle))


def arithmetic_seconds(flops, tensor_flops, gpu) -> float:
    """Seconds of all arithmetic at its peak: `tensor_flops` of the `flops` on the tensor cores, the rest in FP32.

    >>> from ..gpus import H100
    >>> round(arithmetic_seconds(2 * 4096**3, 2 * 4096**3, H100) * 1e6), "us"
    (139, 'us')
    """
    return (flops - tensor_flops) / gpu.fp32_flops + tensor_flops / (gpu.fp16_flops or gpu.fp32_flops)


def tensor_cycles(tensor_flops, gpu) -> float:
    """Cycles of the tensor cores, summed over the SMs: one of an H100 takes a tensor instruction a cycle."""
    per_cycle = TENSOR_FLOPS_PER_CYCLE.get(gpu.compute_capability)
    return tensor_flops / (per_cycle or (gpu.fp16_flops or gpu.fp32_flops) / (gpu.sms * gpu.clock))


def accumulator_owner(row, column):
    """Which lane, and which of its four registers, holds an element of mma.m16n8k16's 16 x 8 accumulator.

    >>> accumulator_owner(0, 0), accumulator_owner(0, 3), accumulator_owner(9, 1)
    ((0, 0), (1, 1), (4, 3))
    """
    return row % 8 * 4 + column // 2, row // 8 * 2 + column % 2


def dot(a, b, accumulator=np.float32):
    """Dot products of FP16 vectors (..., k), one multiply-add after the other, each rounded to `accumulator`.

    The product of two FP16 numbers is exact in FP32, as in the tensor core.

    >>> one = np.ones(4096, np.float16)
    >>> float(dot(one, one, np.float16)), float(dot(one, one, np.float32))  # 2048 + 1 is 2048 in FP16
    (2048.0, 4096.0)
    """
    a, b = np.asarray(a, np.float16), np.asarray(b, np.float16)
    product = a.astype(np.float32) * b.astype(np.float32)
    total = np.zeros(product.shape[:-1], accumulator)
    for k in range(product.shape[-1]):
        total = (total + product[..., k]).astype(accumulator)
    return total


def dot_error(k, accumulator=np.float32, repetitions=20, seed=0) -> float:
    """The mean relative error of dot products of length k, FP16 inputs uniform in [0, 1), against FP64."""
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, repetitions, k)).astype(np.float16)
    exact = (a.astype(np.float64) * b.astype(np.float64)).sum(axis=-1)
    return float(np.mean(np.abs(dot(a, b, accumulator) - exact) / exact))
