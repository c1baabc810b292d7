"""gpusim runs CUDA C text on NumPy and counts what a GPU would count.

    import gpusim as gs
    saxpy = gs.load("saxpy")
    run = saxpy[4, 256](2.0, gs.asarray(x), gs.asarray(y), 1000)
    run.counts.global_load_sectors

Only NumPy is needed; matplotlib, ipywidgets and CuPy are imported by the functions that use them.
"""
from . import hardware, models
from .errors import (BarrierError, CudaSyntaxError, CudaUnsupported, GpusimError, HostAccessError, LaunchError, NoGPU,
                     NotCountable, OutOfBounds, StepLimit)
from .gpus import A100, GPUS, GTX_980, H100, H200, T4, TOY, V100, Gpu
from .hardware import compare, gpu_here
from .machine.arrays import DeviceArray, asarray, asnumpy, empty, full, spec, zeros
from .machine.launch import count, launch
from .machine.program import cuda, load
from .machine.python_kernel import kernel
from .models.bounds import lecture_bound
from .models.estimate import estimate
from .models.occupancy import occupancy
from .models.waves import waves
from .rules.banks import wavefronts
from .rules.coalesce import sectors
from .show import plot, views  # noqa: F401  (views gives runs their source() and tables)
from .show.check import check, solution
from .show.explore import explore
from .show.question import ask
from .show.step import step
from .show.sweep import sweep
from .show.tables import table

__version__ = "0.1.0"

__all__ = [
    "A100", "BarrierError", "CudaSyntaxError", "CudaUnsupported", "DeviceArray", "GPUS", "GTX_980", "Gpu", "GpusimError", "H100",
    "H200", "HostAccessError", "LaunchError", "NoGPU", "NotCountable", "OutOfBounds", "StepLimit", "T4", "TOY", "V100", "asarray",
    "ask", "asnumpy", "check", "compare", "count", "cuda", "empty", "estimate", "explore", "full", "gpu_here", "hardware", "kernel", "launch",
    "lecture_bound", "load", "models", "occupancy", "plot", "sectors", "solution", "spec", "step", "sweep", "table", "wavefronts", "waves", "zeros",
]
