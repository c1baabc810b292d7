"""Is there a real GPU, and which one?  CuPy is imported here, on request only."""

from __future__ import annotations

import re

from .. import gpus
from ..errors import LaunchError, NoGPU

_INSTALL = "pip install cupy-cuda12x (CUDA 12 driver, as on Colab) or cupy-cuda13x (CUDA 13 driver)"
_RECORDED = "without a GPU, gs.hardware.recorded(...) has what an H200 measured"


def cupy():
    """The cupy module, once a first call to the driver has worked; else NoGPU saying which is missing.

    Importing CuPy succeeds on machines without a driver, so the import alone proves nothing.
    """
    try:
        import cupy
    except ImportError as error:
        raise NoGPU(
            f"CuPy is not installed ({error})",
            hint=f"on a machine with an NVIDIA GPU: {_INSTALL}; {_RECORDED}",
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # CuPy's own error class exists only where CuPy does
        raise NoGPU(
            f"CuPy {cupy.__version__} is installed, but no NVIDIA driver answers: {error}",
            hint="in Colab: Runtime > Change runtime type > T4 GPU; elsewhere: install or update the driver, "
            f"or another CuPy: {_INSTALL}; {_RECORDED}",
        ) from None
    if count == 0:
        raise NoGPU("CuPy and the driver work, but this machine has no NVIDIA GPU", hint=_RECORDED)
    return cupy


def available() -> bool:
    """True where `gs.hardware.run` can run: CuPy is installed, the driver answers and there is a GPU."""
    try:
        cupy()
    except NoGPU:
        return False
    return True


def short_name(device: str) -> str:
    """A card's everyday name from the driver's.

    >>> [short_name(name) for name in ("NVIDIA H200", "Tesla T4", "NVIDIA GeForce GTX 980")]
    ['H200', 'T4', 'GTX 980']
    """
    name = re.sub(r"^(NVIDIA|Tesla|GeForce|Quadro)\s+", "", device.strip())
    name = re.sub(r"^(NVIDIA|Tesla|GeForce|Quadro)\s+", "", name)
    known = [card.name for card in vars(gpus).values() if isinstance(card, gpus.Gpu)]
    fits = [card for card in known if re.match(rf"{re.escape(card)}\b", name)]
    return max(fits, key=len) if fits else name


def gpu_here():
    """The Gpu record of this machine's card: its size asked of the driver, the rest known or borrowed.

    Raises NoGPU where there is none.
    """
    module = cupy()
    facts = module.cuda.runtime.getDeviceProperties(module.cuda.Device().id)
    limits = module.cuda.Device().attributes
    return from_properties(
        facts["name"].decode() if isinstance(facts["name"], bytes) else facts["name"], {**limits, **facts}
    )


def from_properties(device, facts):
    """A Gpu from the driver's name of the card and what it says about it.

    facts : dict with major, minor, multiProcessorCount, l2CacheSize, ClockRate and MemoryClockRate in kHz,
            and memoryBusWidth in bits, as getDeviceProperties and Device.attributes of CuPy give them
    """
    capability = f"{facts['major']}.{facts['minor']}"
    name = short_name(device)
    clock = (facts.get("ClockRate") or facts.get("clockRate")) * 1e3
    memory_clock = (facts.get("MemoryClockRate") or facts.get("memoryClockRate")) * 1e3
    bus = facts.get("memoryBusWidth") or facts.get("GlobalMemoryBusWidth")
    size = dict(sms=facts["multiProcessorCount"], l2_bytes=facts["l2CacheSize"])
    known = [card for card in vars(gpus).values() if isinstance(card, gpus.Gpu) and card.name == name]
    if known:
        changed = {
            key: value for key, value in size.items() if key == "sms" and value != getattr(known[0], key)
        }
        return known[0].with_(**changed) if changed else known[0]
    size.update(clock=clock, memory_bandwidth=2 * memory_clock * bus / 8)  # two transfers a clock
    try:
        return gpus.Gpu(name, capability, **size)
    except LaunchError as error:
        raise LaunchError(
            f"this machine's {device} has compute capability {capability}, which gpusim has no limits for: "
            f"{error.message}",
            hint='build a record by hand: gs.Gpu(name, "9.0", sms=..., ...)',
        ) from None
