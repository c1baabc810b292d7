"""From a figure to one inline SVG that takes its colours and its font from the page around it.

Colours that are no palette colour are left as they are; coordinates keep a tenth of a point.
"""

import html as escape
import io
import re

from .paper import alt_text
from .shapes import matplotlib
from .theme import LIGHT

_NAMES = {value.lower(): name for name, value in LIGHT.items()}


def svg(figure):
    """Return a figure as SVG text: no width, palette colours as CSS variables, the page's font, described.

    figure : a Figure, or the canvas that a plot function returned
    The bytes are the same on every run of one matplotlib version.
    """
    figure = getattr(figure, "figure", None) or figure
    mpl, raw = matplotlib(), io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "gpusim"}):
        figure.savefig(raw, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    return _clean(raw.getvalue(), alt_text(figure))


def _clean(text, alt):
    text = text[text.index("<svg") :]
    # matplotlib's own <style> would reach every line of the page, so what it says moves to the root element
    text = re.sub(r"<metadata>.*?</metadata>|<defs>\s*(<style.*?</style>)?\s*</defs>", "", text, flags=re.S)
    text = re.sub(r'<path [^>]*style="fill: none"/>', "", text)
    box = re.search(r'viewBox="([^"]+)"', text).group(1)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{box}" role="img" aria-label="{escape.escape(alt)}" stroke-linejoin="round">'
    )
    text = head + text[text.index(">") + 1 :]
    text = re.sub(r'style="([^"]*)"', lambda style: f'style="{_style(style.group(1))}"', text)
    text = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", text)
    text = re.sub(r'(?<= d=")[^"]*', lambda path: _shorten(path.group(0)), text)
    text = re.sub(r'(?<= [xy]=")-?[\d.]+', lambda number: _tenth(number.group(0)), text)
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', text))
    used = {name for pair in used for name in pair if name}
    text = re.sub(r' id="([^"]*)"', lambda name: name.group(0) if name.group(1) in used else "", text)
    if "<g " not in text:
        text = re.sub(r"</?g>", "", text)
    return re.sub(r">\s+<", "><", text).strip()


def _style(style):
    style = re.sub(r"font-family:[^;]*;?\s*", "", style)
    style = re.sub(r"font-weight: (bold|700)", "font-weight: 600", style)
    # matplotlib 3.10 writes the shorthand font: 600 11px 'DejaVu Sans'; keep weight and size
    style = re.sub(r"font:\s*(?:(\d{3}|bold|normal)\s+)?([\d.]+px)[^;]*", _unpack_font, style)

    def variable(color):
        name = _NAMES.get(color.group(0).lower())
        return f"var(--gs-{name}, {color.group(0)})" if name else color.group(0)

    return re.sub(r"#[0-9a-fA-F]{6}", variable, style).strip().rstrip(";")


def _unpack_font(font):
    weight, size = font.groups()
    return ("" if weight in (None, "normal", "400") else "font-weight: 600; ") + f"font-size: {size}"


def _shorten(path):
    return re.sub(r"\s+", " ", re.sub(r"-?\d+\.\d+", lambda number: _tenth(number.group(0)), path)).strip()


def _tenth(number):
    text = f"{float(number):.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
