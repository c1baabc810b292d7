"""gpusim runs CUDA C text on NumPy and counts what a GPU would count.

    import gpusim as gs
    saxpy = gs.load("saxpy")
    run = saxpy[4, 256](2.0, gs.asarray(x), gs.asarray(y), 1000)
    run.counts.global_load_sectors

Only NumPy is needed; matplotlib, ipywidgets and CuPy are imported by the functions that use them.
"""

from importlib import import_module as _import

from .errors import (
    BarrierError,
    CudaSyntaxError,
    CudaUnsupported,
    GpusimError,
    HostAccessError,
    LaunchError,
    NoGPU,
    NotCountable,
    OutOfBounds,
    StepLimit,
)
from .gpus import A100, GPUS, GTX_980, H100, H200, T4, TOY, V100, Gpu
from .machine.launch import count, launch
from .machine.memory.arrays import DeviceArray, asarray, asnumpy, empty, full, spec, zeros
from .machine.program import cuda, load
from .machine.python_kernel import kernel
from .rules.banks import wavefronts
from .rules.coalesce import sectors
from .show import views as _views  # noqa: F401  (gives runs their source() and tables)

__version__ = "0.1.0"

# Imported when first asked for: the upper floors are most of the package, and few scripts need them all.
_LATER = {
    "ask": "show.question",
    "check": "show.exercises.verdict",
    "compare": "show.tables",
    "estimate": "models.estimate",
    "explore": "show.pages.explore",
    "gpu_here": "hardware",
    "hardware": "",
    "lecture_bound": "models.bounds",
    "models": "",
    "occupancy": "models.occupancy",
    "percent": "show.written",
    "plot": "",
    "solution": "show.exercises.verdict",
    "step": "show.step",
    "sweep": "show.sweep",
    "table": "show.tables",
    "verify": "machine.verify",
    "waves": "models.waves",
}
_PACKAGES = {"hardware": "hardware", "models": "models", "plot": "show.plot"}

__all__ = [
    "A100",
    "BarrierError",
    "CudaSyntaxError",
    "CudaUnsupported",
    "DeviceArray",
    "GPUS",
    "GTX_980",
    "Gpu",
    "GpusimError",
    "H100",
    "H200",
    "HostAccessError",
    "LaunchError",
    "NoGPU",
    "NotCountable",
    "OutOfBounds",
    "StepLimit",
    "T4",
    "TOY",
    "V100",
    "asarray",
    "asnumpy",
    "count",
    "cuda",
    "empty",
    "full",
    "kernel",
    "launch",
    "load",
    "machine",
    "sectors",
    "spec",
    "wavefronts",
    "zeros",
    *_LATER,
]


def machine(kernel, gpu=H200):
    """What NVIDIA's compiler makes of a kernel for a card, line by line; see `gpusim.hardware.compiled`.

    A function of its own, since the package `gpusim.machine` stands under the name already.
    """
    return _import(".hardware.compiled", __name__).machine(kernel, gpu)


def __getattr__(name):
    if name in _PACKAGES:
        value = _import(f".{_PACKAGES[name]}", __name__)
    elif name in _LATER:
        value = getattr(_import(f".{_LATER[name]}", __name__), name)
    else:
        raise AttributeError(f"gpusim has no {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_LATER})
