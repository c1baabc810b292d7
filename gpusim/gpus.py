"""The GPUs of the book, the limits that a launch must keep on each, and where their numbers come from."""

from __future__ import annotations

from .errors import GpusimError
from .gpu import NAMED, Gpu
from .inputs import near, shown
from .units import MB


def _card(name, capability, source, numbers, **others):
    """A card whose `numbers` share one source; `others` are (value, source)."""
    values = {"compute_capability": capability, **numbers, **{n: v for n, (v, _) in others.items()}}
    sources = {**dict.fromkeys(values, source), **{n: s for n, (_, s) in others.items()}}
    return Gpu(name, **values, sources=sources)


GTX_980 = _card(
    "GTX 980",
    "5.2",
    "datasheet: GeForce GTX 980 whitepaper, 2014",
    dict(sms=16, clock=1.126e9, memory_bandwidth=224e9, l2_bytes=2 * MB),
)
V100 = _card(
    "V100",
    "7.0",
    "datasheet: Tesla V100 SXM2 and its whitepaper, 2017",
    dict(
        sms=80, clock=1.53e9, memory_bandwidth=900e9, l2_bytes=6 * MB, fp32_flops=15.7e12, fp16_flops=125e12
    ),
    copy_bandwidth=(780e9, "published: read off NVIDIA's figure of a strided copy, stride 1"),
)
T4 = _card(
    "T4",
    "7.5",
    "datasheet: Tesla T4 and the Turing whitepaper, 2018",
    dict(
        sms=40, clock=1.59e9, memory_bandwidth=320.1e9, l2_bytes=4 * MB, fp32_flops=8.1e12, fp16_flops=65e12
    ),
    copy_bandwidth=(227e9, "lecture: so that its 4096 x 4096 copy takes the printed 0.608 ms"),
    l2_bandwidth=(1.27e12, "published: Jia et al. 2019, from memory, not read again"),
    dram_latency=(434.0, "published: Jia et al. 2019, from memory, not read again"),
)
A100 = _card(
    "A100",
    "8.0",
    "datasheet: A100 80GB PCIe and the GA100 whitepaper, 2020",
    dict(
        sms=108,
        clock=1.41e9,
        memory_bandwidth=1935e9,
        l2_bytes=40 * MB,
        fp32_flops=19.5e12,
        tf32_flops=156e12,
        fp16_flops=312e12,
    ),
)
H100 = _card(
    "H100",
    "9.0",
    "datasheet: H100 SXM5 and the Hopper whitepaper, 2022",
    dict(
        sms=132,
        clock=1.98e9,
        memory_bandwidth=3.35e12,
        l2_bytes=50 * MB,
        fp32_flops=66.9e12,
        tf32_flops=494.7e12,
        fp16_flops=989.4e12,
    ),
)
_MEASURED = "measured: one H200, 2026-11-30, driver 580, CUDA 13.0"
H200 = _card(
    "H200",
    "9.0",
    "datasheet: H200 SXM, 2023; device record of the card measured",
    dict(
        sms=132,
        clock=1.98e9,
        memory_bandwidth=4.8e12,
        l2_bytes=60 * MB,
        fp32_flops=66.9e12,
        tf32_flops=494.7e12,
        fp16_flops=989.4e12,
    ),
    copy_bandwidth=(4.24e12, _MEASURED + ", copy"),
    l2_bandwidth=(8.4e12, _MEASURED + ", best L2 read"),
    l1_bytes_per_cycle=(128, _MEASURED + ", shared loads"),
    shared_latency=(28.8, _MEASURED + ", pointer chase"),
    l1_latency=(41.6, _MEASURED + ", pointer chase"),
    l2_latency=(287.0, _MEASURED + ", pointer chase"),
    dram_latency=(674.0, _MEASURED + ", pointer chase"),
    launch=(0.54e-6, _MEASURED + ", empty kernel in a graph"),
    start_block=(200.0, "fitted: to the recorded launches"),
    start_warp=(30.0, "fitted: to 32-warp transposes"),
    block_rate=(1.8e9, "fitted: to launches of many small blocks"),
    partial_rate=(80e9, "fitted: to naive transposes and strided stores"),
    issue_gap=(3.0, "fitted: to launches with few warps"),
    atomic_rate=(1.36e9, "fitted: read off the histogram with one bin"),
)
TOY = _card(
    "Toy GPU",
    "5.2",
    "lecture: two cores of 1.5 KB shared memory; the rest is chosen not to matter",
    dict(
        sms=2,
        clock=1.0,
        memory_bandwidth=1.0,
        l2_bytes=1,
        warps_per_sm=12,
        shared_per_sm=1536,
        shared_per_block=1536,
        shared_per_block_optin=1536,
        shared_unit=1,
        schedulers_per_sm=1,
    ),
)


class _Cards(dict):
    def __missing__(self, name):
        hint = near(name, self, any_case=True)
        raise GpusimError(
            f"no GPU is called {name!r}; there are {', '.join(self)}",
            hint=hint or "add your own with gpusim.Gpu(...) or H100.with_(...)",
        )


NAMED.update(
    {GTX_980: "GTX_980", V100: "V100", T4: "T4", A100: "A100", H100: "H100", H200: "H200", TOY: "TOY"}
)
USUAL = H200  # where no card is named: the one whose counts and times are recorded
GPUS = _Cards((card.name, card) for card in NAMED)


def as_gpu(gpu) -> Gpu:
    """A card, or the one of that name.

    >>> as_gpu("H100") is H100
    True
    """
    if not isinstance(gpu, (Gpu, str)):
        raise GpusimError(f"a GPU is one of gpusim's, such as gs.H200, or its name; got {shown(gpu)}")
    return gpu if isinstance(gpu, Gpu) else GPUS[gpu]
