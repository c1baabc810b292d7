"""The visual vocabulary in one place: colours, type sizes, and how a number is written.

Memory is cool, execution is warm, trouble is red, nothing is grey. Figures are drawn with the LIGHT value
of a concept; in an SVG each becomes a CSS variable (`show/svg.py`), which has the DARK value on a dark page.
"""

import math

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

THIN = "\u2009"  # thin space between thousands


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


def integer(count):
    """Write an exact count; thousands are set apart by a thin space from five digits on.

    >>> integer(4096), integer(393216).replace(THIN, "_")
    ('4096', '393_216')
    """
    count = int(count)
    return str(count) if abs(count) < 10_000 else f"{count:,}".replace(",", THIN)


def three(value):
    """Write a number with three significant digits, without an exponent between 0.001 and a million.

    >>> three(26.44), three(0.0512), three(3), three(1234.5), three(2.50), three(0)
    ('26.4', '0.0512', '3', '1234', '2.5', '0')
    """
    value = float(value)
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "NaN"
    if value == 0 or float(value).is_integer() and abs(value) < 1e6:
        return integer(value).replace("-", "−")
    size = abs(value)
    if size >= 1e6 or size < 1e-3:
        return power(value)
    digits = max(0, 2 - math.floor(math.log10(float(f"{size:.2e}"))))
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else integer(float(text))
    return text.replace("-", "−")


def power(value):
    """Write a number as mantissa times a power of ten, in Unicode.

    >>> power(2.4e-7), power(1e6)
    ('2.4 × 10⁻⁷', '10⁶')
    """
    mantissa, exponent = f"{value:.2e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".").replace("-", "−")
    ten = "10" + str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return ten if mantissa == "1" else f"{mantissa} × {ten}"


def scaled(value, units):
    """Return (factor, unit) so that value * factor reads well; `units` goes up by thousands, the first is 1.

    >>> scaled(4.24e12, ("B/s", "KB/s", "MB/s", "GB/s", "TB/s"))
    (1e-12, 'TB/s')
    """
    place = 0
    while place < len(units) - 1 and abs(value) >= 1000 ** (place + 1):
        place += 1
    return float(f"1e-{3 * place}"), units[place]


def time_unit(seconds):
    """Return (factor, unit) for times of about `seconds`: s, ms, µs or ns.

    >>> time_unit(0.0264), time_unit(2e-6)
    ((1000.0, 'ms'), (1000000.0, 'µs'))
    """
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or seconds == 0 and unit == "ms":
            return factor, unit
    return 1e9, "ns"


def seconds(value):
    """Write a time with its unit.

    >>> seconds(0.02644), seconds(2.05e-6)
    ('26.4 ms', '2.05 µs')
    """
    factor, unit = time_unit(value)
    return f"{three(value * factor)} {unit}"


def rate(value, unit="B/s"):
    """Write a rate with its prefix: bytes, FLOP or instructions a second.

    >>> rate(4.24e12), rate(63.5e12, "FLOP/s"), rate(0.5, "B/s")
    ('4.24 TB/s', '63.5 TFLOP/s', '0.5 B/s')
    """
    factor, prefix = scaled(value, ("", "k", "M", "G", "T", "P"))
    return f"{three(value * factor)} {prefix}{unit}"


def size(count):
    """Write a number of bytes; whole kilobytes (1024) as KB, else thousands, millions as in bandwidths.

    >>> size(384), size(49152), size(268_435_456)
    ('384 bytes', '48 KB', '268 MB')
    """
    if count < 1024:
        return f"{integer(count)} byte" + ("" if count == 1 else "s")
    if count % 1024 == 0 and count < 1024**2:
        return f"{integer(count // 1024)} KB"
    factor, unit = scaled(count, ("bytes", "KB", "MB", "GB", "TB"))
    return f"{three(count * factor)} {unit}"


def percent(fraction, digits=0):
    """Write a fraction as a percentage; 0 % and 100 % are kept for exact values.

    >>> percent(.59), percent(.50505, 1), percent(.9999), percent(1.0, 1), percent(0.0001)
    ('59 %', '50.5 %', '>99 %', '100 %', '<1 %')
    """
    if 0 < fraction < 0.5 * 10 ** -(digits + 2):
        return f"<{10.0**-digits:.{digits}f} %"
    if 1 - 0.5 * 10 ** -(digits + 2) < fraction < 1:
        return f">{100 - 10.0**-digits:.{digits}f} %"
    text = f"{100 * fraction:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def plural(count, one, many=None):
    """Write a count and its noun.

    >>> plural(1, "sector"), plural(12, "sector"), plural(2, "queue"), plural(0, "branch", "branches")
    ('1 sector', '12 sectors', '2 queues', '0 branches')
    """
    return f"{integer(count)} {one if count == 1 else many or one + 's'}"
