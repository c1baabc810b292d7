"""The visual vocabulary in one place: colours and type sizes.

Memory is cool, execution is warm, trouble is red, nothing is grey. Figures are drawn with the LIGHT value
of a concept; in an SVG each becomes a CSS variable (`svg.py`), which has the DARK value on a dark page.
"""

from ...models.bounds import NAMES

LIGHT = {
    "load": "#1A73C7",
    "store": "#CE7128",
    "shared": "#1F7A5C",
    "l1": "#6F9E74",
    "l2": "#4A98B8",
    "hbm": "#5B58CF",
    "compute": "#B98417",
    "issue": "#94489B",
    "bad": "#C4243A",
    "ink": "#222832",
    "muted": "#566275",
    "idle": "#7E8896",
    "bg": "#FFFFFF",
}
DARK = {
    "load": "#5B9FF0",
    "store": "#FF9F4A",
    "shared": "#55C2A1",
    "l1": "#79AD80",
    "l2": "#97DAE8",
    "hbm": "#9C80F5",
    "compute": "#E8C46C",
    "issue": "#DB90DC",
    "bad": "#F2666F",
    "ink": "#CED6DD",
    "muted": "#9CA4AF",
    "idle": "#7E8896",
    "bg": "#14181E",
}
TINT = 0.30  # alpha of "which one it is"; ink on it keeps a contrast of 5.6 or more
IDENTITY = ("load", "compute", "shared", "issue")  # tints of warps and blocks in turn, never without number
CASES = ("compute", "issue", "shared", "store")  # then, else, and further cases of a switch

WIDTH = 345.6  # points: 4.8 in, one drawing for all screens
MARGIN = 8  # points, left and right
HEADLINE, LABEL, NOTE, VALUE, CELL = 11, 9, 8.5, 8, 6.5  # points

# The colour of each resource, everywhere; and what is written beside its bar.
_COLORS = {"atomics": "store", "life": "load", "start": "issue"}  # the others have one of their own
RESOURCES = {
    **{key: (name, _COLORS.get(key, key)) for key, name in NAMES.items()},
    "launch": ("launch", "muted"),
    "load": ("load", "load"),
    "store": ("store", "store"),
    "copy": ("copy", "store"),
    "pcie": ("PCIe", "store"),
}
# A request's kind -> the colour of what it touches in global memory.
KINDS = {"load": "load", "store": "store", "atomic": "store", "atomic_inc": "store"}


def identity(number):
    """Return the colour name of warp or block `number` (draw it at TINT, and write the number).

    >>> identity(0), identity(5)
    ('load', 'compute')
    """
    return IDENTITY[int(number) % len(IDENTITY)]


def resource(name):
    """Return (label, colour name) of a resource; an unknown one is its own label, in the series colour.

    >>> resource("hbm"), resource("texture")
    (('HBM', 'hbm'), ('texture', 'load'))
    """
    return RESOURCES.get(name, (str(name).replace("_", " "), "load"))
