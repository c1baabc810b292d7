"""Built-in functions that say how they round, and other rows of the table of built-ins: kind, signature, names."""

from __future__ import annotations

SOURCES = {"int": "i", "uint": "u", "ll": "l", "ull": "L", "float": "f", "double": "d"}
TARGETS = {"half": "h", "float": "f", "double": "d"}
EXACT = {("int", "double"), ("uint", "double"), ("float", "double")}  # nothing is rounded


def rows():
    """As builtins reads them; "NAME=FUNCTION" where the two differ."""
    for mode in ("rz", "ru", "rd"):
        for source, given in SOURCES.items():
            for target, to in TARGETS.items():
                if source != target and (source, target) not in EXACT:
                    yield "math", f"{to}:{given}", f"__{source}2{target}_{mode}=to_{target}_{mode}"
        for letter, more in (("f", "f"), ("d", "")):
            for name in ("add", "sub", "mul", "div"):
                yield "math", f"{letter}:{letter}{letter}", f"__{letter}{name}_{mode}={letter}{name}_{mode}"
            yield "math", f"{letter}:{letter * 3}", f"__fma{more}_{mode}={letter}fma_{mode}"
            yield "math", f"{letter}:{letter}", f"__{letter}sqrt_{mode}={letter}sqrt_{mode}"
            yield "math", f"{letter}:{letter}", f"__{letter}rcp_{mode}={letter}rcp_{mode}"
    yield "bits", "s:h", "__half_as_short=as_short"
    yield "bits", "S:h", "__half_as_ushort=as_ushort"
    yield "bits", "h:s", "__short_as_half=as_half"
    yield "bits", "h:S", "__ushort_as_half=as_half"
    yield "integer", "i:iii", "__dp4a_s32=dp4a"
    yield "integer", "u:uuu", "__dp4a_u32=dp4a_u"
    yield "hint", "v:u", "__nanosleep"
    yield "hint", "v:b", "__builtin_assume __assume"
    for name in ("fill_fragment", "load_matrix_sync", "store_matrix_sync", "mma_sync"):
        yield "matrix", "v:", f"wmma::{name}"  # cpp/wmma.py types them
