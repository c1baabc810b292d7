"""NVRTC, NVIDIA's run-time compiler, from its PyPI wheel: compiles CUDA C on machines without a GPU."""

import ctypes

from gpusim.hardware.compiled.toolkit import nvrtc, toolkit

WHEELS = "nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl"


def load(folder):
    """The library of the wheels in a folder, which `toolkit` found."""
    assert folder == toolkit()
    return nvrtc()


def compile_text(library, folder, text, name, arch, defines=()):
    """Machine code of a CUDA text for one architecture, and the log; an AssertionError with it on failure."""
    program = ctypes.c_void_p()
    done = library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None, None)
    assert done == 0, library.nvrtcGetErrorString(done)
    options = [
        f"--gpu-architecture={arch}",
        "--std=c++17",
        f"-I{folder}/include",
        f"-I{folder}/include/cccl",
        *(f"-D{key}={value}" for key, value in defines),
    ]
    array = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    done = library.nvrtcCompileProgram(program, len(options), array)
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    assert done == 0, f"{name} for {arch}:\n{log.value.decode()}"
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    code = ctypes.create_string_buffer(size.value)
    library.nvrtcGetCUBIN(program, code)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return code.raw, log.value.decode()
