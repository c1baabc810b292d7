"""`gs.machine`: the listing of a kernel for a card, recorded or compiled here."""

from __future__ import annotations

from ...gpus import H200, Gpu
from ..text import kernel_text
from .listing import Listing
from .recorded import recorded
from .sass import instructions
from .toolkit import compile_kernel, disassemble


def machine(kernel, gpu: Gpu = H200) -> Listing:
    """What NVIDIA's compiler makes of a kernel: widths of accesses, predicates, branches, registers, line by line.

    kernel : from gs.cuda or gs.load; gpu : the card whose instructions are wanted
    The book's kernels come from what was recorded; other texts are compiled, with no GPU, where NVRTC and
    nvdisasm are installed.  Raises GpusimError that names the packages elsewhere, CudaSyntaxError where the
    compiler refuses the text.

    >>> import gpusim as gs
    >>> code = gs.machine(gs.load("reduce_v1"), gs.H200)
    >>> code.lines[14].words  # the `if` around it is no branch: lanes are predicated
    '6 instructions: 2 LDS 32 bits, 1 STS 32 bits; 6 predicated'
    """
    text, arch = kernel_text(kernel), architecture(gpu)
    return recorded(text, arch) or compiled(text, arch)


def architecture(gpu: Gpu) -> str:
    """The compiler's name for a card's instructions: "sm_90"."""
    return f"sm_{''.join(str(gpu.compute_capability).split('.'))}"


def compiled(text, arch: str) -> Listing:
    """Compile and disassemble.  text : KernelText; arch : "sm_90"."""
    code = compile_kernel(text, arch)
    return Listing(
        text.name,
        text.text,
        arch,
        code.compiler,
        code.registers,
        code.spilled,
        code.stack,
        tuple(instructions(disassemble(code))),
    )
