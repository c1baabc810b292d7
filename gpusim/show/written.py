"""How a number is written, on pages and in pictures: counts exact, other numbers to three digits, with units."""

from __future__ import annotations

import math

THIN = "\u2009"  # thin space between thousands


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
