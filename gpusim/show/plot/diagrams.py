"""Boxes and arrows: bytes that move between layers of memory, scopes of variables, and a refusal."""

import math

from ..written import integer, size, three
from .paper import begin, center, fit, headline, write
from .shapes import polygon, rounded
from .theme import LABEL, MARGIN, NOTE, TINT, VALUE, resource


def traffic(layers, flows, *, unit="bytes", captions=None, title=None, note=None, ax=None):
    """Draw how much moves from layer to layer; the thicker the arrow, the more (logarithmic).

    layers : names from far to near, such as "HBM", "shared", "registers", "multiply-adds"
    flows : one number between neighbours, bytes (or another unit);  captions : a text under each layer
    return : ax, always of one height

    >>> traffic(["HBM", "shared", "registers"], [8.6e9, 137e9]).headline
    'HBM to shared 8.6 GB; shared to registers 137 GB'
    """
    if len(flows) != len(layers) - 1:
        raise ValueError(f"{len(layers)} layers have {len(layers) - 1} flows between them; got {len(flows)}")
    ax, width, _ = begin(ax, 132)
    text = size if unit == "bytes" else lambda value: f"{integer(value)} {unit}"
    gap = {2: 90.0, 3: 62.0}.get(len(layers), 38.0)
    wide = (width - 2 * MARGIN - gap * len(flows)) / len(layers)
    most, least = max([*flows, 1]), min([flow for flow in flows if flow > 0] + [1e30])
    for place, name in enumerate(layers):
        x = MARGIN + place * (wide + gap)
        color = _layer_color(name)
        rounded(ax, [(x, 53, wide, 38)], 3, color, color, 1.1, TINT)
        center(ax, x + wide / 2, 72, name, fit(name, LABEL, wide - 5, bold=True, least=5), bold=True)
        if captions and captions[place]:
            caption = captions[place]
            center(ax, x + wide / 2, 103, caption, fit(caption, VALUE, wide + gap - 8, least=5), "muted")
    for place, flow in enumerate(flows):
        x = MARGIN + place * (wide + gap) + wide + 4
        share = math.log(max(flow, 1e-9) / least + 1) / math.log(most / least + 1) if flow > 0 else 0
        half, tip = 0.6 + 7 * share, x + gap - 8
        neck = tip - min(10.0, 3 + half)
        upper = [(x, 72 - half), (neck, 72 - half), (neck, 69 - half), (tip, 72)]
        lower = [(a, 144 - b) for a, b in upper[2::-1]]
        polygon(ax, upper + lower, _layer_color(layers[place]))
        label = text(flow)
        center(ax, x + (gap - 8) / 2, 46, label, fit(label, VALUE, gap + wide - 6, True, 5), bold=True)
        if place and flows[place - 1] > 0:
            ratio = f"×{three(float(f'{flow / flows[place - 1]:.2g}'))}"
            center(ax, x + (gap - 8) / 2, 97, ratio, VALUE, "muted")
    pairs = zip(layers, layers[1:], flows, strict=False)
    told = [f"{a} to {b} {text(flow)}" for a, b, flow in pairs]
    sentence = "; ".join(told) if len(flows) < 3 else " → ".join(map(text, flows))
    headline(
        ax,
        title or sentence,
        note or "× is how often a value that arrives is used again",
        "Diagram of traffic between layers of memory",
        "; ".join(told),
    )
    return ax


def _layer_color(name):
    known = resource(name.lower())[1]
    return {"registers": "compute", "multiply-adds": "compute", "fma": "compute"}.get(name.lower(), known)


SCOPES = {  # memory: (who sees it, how long it lives, where it is, colour)
    "register": ("one thread", "as long as the thread", "on the SM", "compute"),
    "local": ("one thread", "as long as the thread", "device memory, through L1", "hbm"),
    "shared": ("one block", "as long as the block", "on the SM", "shared"),
    "global": ("all blocks and the host", "until freed", "device memory, through L2", "load"),
    "constant": ("all blocks, read only", "as long as the module", "device memory, cached", "l2"),
}


def scopes(memory=None, *, title=None, note=None, ax=None):
    """Draw which kinds of memory a thread, a block and the grid see; one of them may be picked.

    memory : "register", "local", "shared", "global" or "constant", drawn deep; None for none
    return : ax, always of one height

    >>> scopes("shared").headline
    'shared: seen by one block, lives as long as the block'
    """
    if memory is not None and memory not in SCOPES:
        raise ValueError(f"memory is one of {', '.join(SCOPES)}; got {memory!r}")
    ax, width, _ = begin(ax, 232)
    right = width - MARGIN
    rounded(ax, [(MARGIN, 44, right - MARGIN, 180)], 4, None, "muted", 1)
    write(ax, MARGIN + 7, 56, "grid", LABEL, bold=True)
    half = (right - MARGIN - 24) / 2
    for block in range(2):
        x = MARGIN + 8 + block * (half + 8)
        rounded(ax, [(x, 62, half, 100)], 3, None, "muted", 1)
        write(ax, x + 6, 73.5, f"block {block}", LABEL, bold=True)
        _chip(ax, x + 6, 140, half - 12, "shared", memory)
        for thread in range(2):
            left = x + 6 + thread * (half - 8) / 2
            wide = (half - 16) / 2
            rounded(ax, [(left, 79, wide, 54)], 2, None, "muted", 0.8)
            write(ax, left + 4, 89.5, f"thread {thread}", VALUE, "muted")
            _chip(ax, left + 4, 94, wide - 8, "register", memory)
            _chip(ax, left + 4, 113, wide - 8, "local", memory)
    _chip(ax, MARGIN + 8, 169, right - MARGIN - 16, "global", memory)
    _chip(ax, MARGIN + 8, 194, right - MARGIN - 16, "constant", memory)
    if memory:
        who, life, where, _ = SCOPES[memory]
        sentence, told = f"{memory}: seen by {who}, lives {life}", where
    else:
        sentence, told = "five kinds of memory, three scopes", "a box encloses those who see what is in it"
    headline(
        ax,
        title or sentence,
        note or told,
        "Diagram of the scopes of memory",
        "; ".join(f"{name}: {who}, {where}" for name, (who, _, where, _) in SCOPES.items()),
    )
    return ax


def _chip(ax, x, y, wide, name, picked):
    color, deep = SCOPES[name][3], name == picked
    rounded(ax, [(x, y, wide, 16)], 2, color, color, 0.9, None if deep else TINT)
    text_size = fit(name, NOTE, wide - 4, deep, least=5)
    center(ax, x + wide / 2, y + 8, name, text_size, "bg" if deep else "ink", bold=deep)


def refused(message, height, *, title="not possible", ax=None):
    """Say why a setting cannot be launched, on a canvas of the height that other settings have.

    message : text, such as "block of 2048 threads: at most 1024"
    return : ax

    >>> alt = refused("block of 2048 threads: at most 1024", 120)._gs_alt
    >>> alt
    'Not possible. Block of 2048 threads: at most 1024.'
    """
    ax, width, height = begin(ax, height)
    words, lines = str(message).split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 54:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    for row, text in enumerate(lines[: max(1, int((height - 44) // 13))]):
        write(ax, MARGIN, 46 + 13 * row, text, fit(text, LABEL, width - 2 * MARGIN))
    headline(ax, title, detail=str(message))
    return ax
