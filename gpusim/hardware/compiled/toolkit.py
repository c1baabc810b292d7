"""NVIDIA's compiler and disassembler from their PyPI packages: CUDA C to machine code, machine code to instructions.

Both run on machines without a GPU (Linux and Windows packages; here Linux). A text never reaches a shell: NVRTC takes
it in memory, nvdisasm reads the machine code from a file of a fresh folder.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ...errors import CudaSyntaxError, GpusimError
from ..gpu import compiler_error

PACKAGES = "nvidia-cuda-nvrtc nvidia-cuda-nvdisasm nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl"
_USED = re.compile(r"Used (\d+) registers")
_SPILLED = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
_STACK = re.compile(r"(\d+) bytes stack frame")


@dataclass(frozen=True)
class Code:
    """Machine code of one kernel.

    cubin : bytes; symbol : its name in there; registers : a thread; spilled, stack : bytes a thread
    compiler : "NVRTC 13.0"
    """

    cubin: bytes
    symbol: str
    registers: int
    spilled: int
    stack: int
    compiler: str


@functools.cache
def toolkit() -> Path | None:
    """Folder of the packages' `lib`, `bin` and `include`, or None where NVRTC or the headers are missing."""
    found = importlib.util.find_spec("nvidia")
    for place in found.submodule_search_locations if found else ():
        for folder in sorted(Path(place).glob("cu1[3-9]")):
            if list(folder.glob("lib/libnvrtc.so.*")) and (folder / "include" / "cuda_fp16.h").exists():
                return folder
    return None


@functools.cache
def disassembler() -> Path | None:
    """nvdisasm, or None where its package is missing."""
    folder = toolkit()
    path = folder / "bin" / "nvdisasm" if folder else None
    return path if path and path.exists() else None


def missing() -> GpusimError:
    """What to say, and to install, where the packages are missing."""
    return GpusimError(
        "what the compiler makes of this kernel is not recorded, and NVIDIA's compiler is not installed here",
        hint=f"on Linux: pip install {PACKAGES} (no GPU is needed)",
    )


@functools.cache
def nvrtc():
    """The library.  Its builtins are loaded first: they lie beside it, where the loader does not look."""
    folder = toolkit()
    for name in sorted(folder.glob("lib/libnvrtc-builtins.so.*")):
        ctypes.CDLL(str(name), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(sorted(folder.glob("lib/libnvrtc.so.*"))[0]))
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def version() -> str:
    """The compiler's name and version, as records carry it: "NVRTC 13.0"."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"NVRTC {major.value}.{minor.value}"


def compile_kernel(text, arch: str) -> Code:
    """Compile one kernel as CuPy would.  text : KernelText; arch : "sm_90".

    Raises CudaSyntaxError with the compiler's message and the text's line; GpusimError without the packages.
    """
    if toolkit() is None:
        raise missing()
    library, program = nvrtc(), ctypes.c_void_p()
    source, name = text.compiled.encode(), f"{text.name}.cu".encode()
    _done(library, library.nvrtcCreateProgram(ctypes.byref(program), source, name, 0, None, None))
    try:
        _done(library, library.nvrtcAddNameExpression(program, text.expression.encode()))
        options = _options(text, arch)
        failed = library.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*options)
        )
        log = _text(library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog, program).decode()
        if failed:
            raise compiler_error(text, log)
        symbol = ctypes.c_char_p()
        _done(library, library.nvrtcGetLoweredName(program, text.expression.encode(), ctypes.byref(symbol)))
        cubin = _text(library.nvrtcGetCUBINSize, library.nvrtcGetCUBIN, program)
        return Code(cubin, symbol.value.decode(), *_resources(log, symbol.value.decode()), version())
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def disassemble(code: Code) -> dict:
    """nvdisasm's account of a kernel: {"start", "sass-instructions": [{opcode, operands, source-line ...}]}."""
    if disassembler() is None:
        raise missing()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(code.cubin)
        done = subprocess.run(
            [disassembler(), "-g", "-json", path], capture_output=True, text=True, check=True, timeout=120
        )
    _, functions, *_ = json.loads(done.stdout)
    return next(function for function in functions if function["function-name"] == code.symbol)


def _options(text, arch):
    include = toolkit() / "include"
    options = [
        f"--gpu-architecture={arch}",
        "-std=c++17",
        "--generate-line-info",
        "--ptxas-options=-v",
        f"-I{include}",
        f"-I{include / 'cccl'}",
        *text.options,
    ]
    return [option.encode() for option in options]


def _resources(log, symbol):
    """(registers, bytes spilled, bytes of stack) from what ptxas says of one kernel."""
    told = log[log.find(symbol) :]
    registers, spilled, stack = _USED.search(told), _SPILLED.search(told), _STACK.search(told)
    if registers is None:
        raise GpusimError(f"the compiler does not say how many registers {symbol} uses")
    return int(registers[1]), int(spilled[1]) if spilled else 0, int(stack[1]) if stack else 0


def _text(size_of, read, program):
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    read(program, buffer)
    return buffer.raw


def _done(library, status):
    if status:
        raise CudaSyntaxError(f"NVRTC: {library.nvrtcGetErrorString(status).decode()}")
