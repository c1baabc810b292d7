"""One-warp access patterns that an H200 counted, as arrays for the rules."""

import numpy as np
from figures import measured


def of(kind, width=None):
    """Yield (name, addresses, active, size, record) of each measured pattern of this kind; width in words."""
    for record in measured("h200_patterns"):
        if record["kind"] == kind and width in (None, record["width"]):
            size = 4 * record["width"]
            active = np.array([record["mask"] >> lane & 1 for lane in range(32)], dtype=bool)
            yield f"{record['pattern']} x{size}", np.array(record["index"]) * size, active, size, record


def misses(kind, rule, field):
    """Patterns where `rule(addresses, active, size)` is not what was measured: name -> (rule, measured)."""
    found, patterns = {}, 0
    for name, addresses, active, size, record in of(kind):
        patterns += 1
        counted = int(rule(addresses, active, size)[0])
        if counted != record[field]:
            found[name] = counted, record[field]
    assert patterns > 30, f"only {patterns} patterns of {kind} in the extract"
    return found
