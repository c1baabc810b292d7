"""Run a kernel's text on the real GPU of this machine, through CuPy, and time it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import CudaSyntaxError
from ..units import KB, dim3
from .arguments import device, fetch
from .card import cupy, short_name
from .text import kernel_text

SHORT = 0.2e-3  # s; a launch shorter than this is timed as one of GRAPH in a CUDA graph
GRAPH = 50  # launches
OPT_IN = 48 * KB  # bytes of dynamic shared memory a block gets without asking


@dataclass(frozen=True)
class HardwareRun:
    """What a real GPU did with a launch.

    seconds : float, median time of a launch; times : all of them; method : how they were taken
    out : the array that the kernel writes (a tuple where it may write several), after one launch
    gpu : str, the card; registers : a thread
    shared, local : static shared memory, bytes a block, and local memory, bytes a thread
    blocks_per_sm : blocks of this kind that an SM holds, as the driver's occupancy calculator says
    """

    seconds: float | None
    out: object = field(repr=False)
    times: tuple = field(repr=False)
    method: str
    gpu: str
    registers: int
    shared: int
    local: int
    blocks_per_sm: int


def run(kernel, grid, block, *arrays, shared=0, repeats=20, constants=None, options=()) -> HardwareRun:
    """Run a kernel on this machine's GPU; the arrays that are passed stay as they are.

    kernel : from gs.cuda or gs.load; grid, block : int or tuple of up to 3
    arrays : NumPy, gpusim or CuPy arrays, numbers; in the order of the kernel's parameters
    shared : bytes of dynamic shared memory a block; repeats : timed launches (0: run once, do not time)
    constants : dict of arrays for the text's __constant__ variables
    options : for the compiler, such as "--fmad=false"
    Raises NoGPU without CuPy, driver or GPU; CudaSyntaxError with the compiler's message and the text's line.
    """
    module = cupy()
    text = kernel_text(kernel)
    grid, block = dim3(grid, "grid"), dim3(block, "block")
    function = build(module, text, constants or getattr(kernel, "constants", None) or {}, tuple(options))
    if shared > OPT_IN:
        function.max_dynamic_shared_size_bytes = shared
    arguments, copies = device(module, text, arrays)

    def launch():
        function(grid, block, tuple(arguments), shared_mem=shared)

    launch()
    module.cuda.Device().synchronize()
    out = tuple(
        fetch(*copies[place]) for place, written in enumerate(text.outputs) if written and place in copies
    )
    times, method = measure(module, launch, repeats) if repeats else ((), "not timed")
    name = module.cuda.runtime.getDeviceProperties(module.cuda.Device().id)["name"]
    return HardwareRun(
        seconds=float(np.median(times)) if times else None,
        out=out[0] if len(out) == 1 else out,
        times=times,
        method=method,
        gpu=short_name(name.decode() if isinstance(name, bytes) else name),
        registers=function.num_regs,
        shared=function.shared_size_bytes,
        local=function.local_size_bytes,
        blocks_per_sm=resident(function, block, shared),
    )


def build(module, text, constants=None, options=()):
    """The compiled kernel, a cupy.RawKernel.  text : KernelText; constants : arrays for __constant__ data."""
    compiled = module.RawModule(
        code=text.compiled,
        options=("-std=c++17", *headers(text.text), *text.options, *options),
        name_expressions=(text.expression,),
    )
    try:
        function = compiled.get_function(text.expression)
    except module.cuda.compiler.CompileException as error:
        raise compiler_error(text, str(error)) from None
    for name, values in (constants or {}).items():
        values = np.ascontiguousarray(values)
        target = module.ndarray(values.shape, values.dtype, compiled.get_global(name))
        target.set(values)
    return function


def headers(text):
    """-I options for a text that includes mma.h or cuda_pipeline.h, which only a CUDA toolkit has whole."""
    if "mma.h" not in text and "cuda_pipeline.h" not in text:
        return ()
    nvcc = shutil.which("nvcc")
    homes = [
        os.environ.get("CUDA_HOME"),
        os.environ.get("CUDA_PATH"),
        nvcc and Path(nvcc).resolve().parents[1],
    ]
    site = importlib.util.find_spec("nvidia")  # NVIDIA's wheels: nvidia-cuda-crt, nvidia-cuda-nvcc-cu12
    for place in site.submodule_search_locations if site else ():
        homes += [*Path(place).glob("cu1[2-9]"), *Path(place).glob("cuda_*")]
    folders = [Path(home) / "include" for home in (*homes, "/usr/local/cuda") if home]
    return tuple(f"-I{folder}" for folder in folders if (folder / "crt" / "mma.h").exists())[:1]


def compiler_error(text, log):
    """A CudaSyntaxError from NVRTC's log: its first error, with the line of the reader's text.

    >>> from .text import KernelText
    >>> bad = KernelText("k", "__global__ void k(int *a) {\\n    a[0] = b;\\n}")
    >>> print(compiler_error(bad, 'folder/x.cu(2): error: identifier "b" is undefined\\n      a[0] = b;'))
    k.cu:2: error: NVRTC, the compiler for the GPU: identifier "b" is undefined
        a[0] = b;
    """
    found = re.search(r"\((\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (.*)", log)
    if found is None:
        return CudaSyntaxError(
            f"NVRTC, the compiler for the GPU, refuses this text:\n{log.strip()}", file=f"{text.name}.cu"
        )
    lines = text.text.split("\n")
    line = int(found[1])
    return CudaSyntaxError(
        f"NVRTC, the compiler for the GPU: {found[2].strip()}",
        file=f"{text.name}.cu",
        line=line,
        text=lines[line - 1] if line <= len(lines) else None,
    )


def measure(module, launch, repeats):
    """(times in seconds, method): launches between two events, or many in a CUDA graph where one is short."""
    for _ in range(2):
        between_events(module, launch)
    times = tuple(between_events(module, launch) for _ in range(repeats))
    if np.median(times) >= SHORT:
        return times, "one launch between two events"
    stream = module.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        for _ in range(GRAPH):
            launch()
        graph = stream.end_capture()
        for _ in range(2):
            between_events(module, graph.launch)
        times = tuple(between_events(module, graph.launch) / GRAPH for _ in range(max(5, repeats // 2)))
    return times, f"{GRAPH} launches in a CUDA graph, time of one"


def between_events(module, launch):
    """Seconds between an event before and one after `launch()`, on the current stream."""
    start, end = module.cuda.Event(), module.cuda.Event()
    start.record()
    launch()
    end.record()
    end.synchronize()
    return module.cuda.get_elapsed_time(start, end) * 1e-3


def resident(function, block, shared):
    """Blocks of a compiled kernel that one SM holds, says the driver."""
    from cupy_backends.cuda.api import driver

    return int(
        driver.occupancyMaxActiveBlocksPerMultiprocessor(
            function.kernel.ptr, block[0] * block[1] * block[2], shared
        )
    )
