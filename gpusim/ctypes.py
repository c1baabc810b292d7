"""C types: each arithmetic type of CUDA C by all its names, with its NumPy dtype and so its size."""

from __future__ import annotations

import numpy as np

_INTEGERS = {"char": 1, "short": 2, "int": 4, "long": 8, "long long": 8}  # bytes, as nvcc has them on Linux


def _spellings():
    table = {"bool": "?", "_Bool": "?", "half": "f2", "__half": "f2", "float": "f4", "double": "f8"}
    for name, size in _INTEGERS.items():
        for spelled in (name,) if name in ("char", "int") else (name, f"{name} int"):
            signed = dict.fromkeys((spelled, f"signed {spelled}"), f"i{size}")
            table |= {**signed, f"unsigned {spelled}": f"u{size}"}
        table[f"u{name.replace(' ', '')}"] = f"u{size}"
    for size in (1, 2, 4, 8):
        table |= {f"int{8 * size}_t": f"i{size}", f"uint{8 * size}_t": f"u{size}"}
    table |= {"signed": "i4", "unsigned": "u4", "schar": "i1"}
    table |= dict.fromkeys(("ssize_t", "ptrdiff_t", "intptr_t", "clock_t"), "i8")
    table |= dict.fromkeys(("size_t", "uintptr_t"), "u8")
    return {name: np.dtype(code) for name, code in table.items()}


DTYPES = _spellings()  # {name: dtype}
ELEMENTS = tuple(
    "float double half bool char uchar short ushort int uint unsigned long ulong".split()
)  # as the command line calls the elements of an array
NAMED = ("bool", "char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long",
         "unsigned long long", "half", "float", "double")  # fmt: skip
NAMES = {DTYPES[name]: name for name in NAMED}  # one name for each dtype


def dtype_of(name):
    """The NumPy dtype of a C type, or None where it is no arithmetic type.

    >>> dtype_of("unsigned  int"), dtype_of("size_t").itemsize, dtype_of("float4")
    (dtype('uint32'), 8, None)
    """
    return DTYPES.get(" ".join(name.split()))


def name_of(dtype):
    """The C name of a NumPy dtype, or None where C has no such type.

    >>> name_of(np.uint8), name_of("complex64")
    ('unsigned char', None)
    """
    return NAMES.get(np.dtype(dtype))
