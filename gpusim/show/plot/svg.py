"""A matplotlib figure as a small SVG that takes its colours and its font from the page around it.

The figures are drawn in the palette's light values. Here each becomes a CSS variable, so that the same
picture is right on white, on black and in print; fonts go, so that the page's own is used; ids that nothing
refers to go, and groups that say nothing; coordinates keep a tenth of a point. The same figure gives the same
bytes on every run.
"""

from __future__ import annotations

import base64
import io
import os
import re

from ..page import dressed, escape, prose
from .text import alt_text
from .theme import LIGHT

VARIABLE = {code.lower(): f"var(--gs-{name},{code})" for name, code in LIGHT.items()}
VARIABLE["#000000"] = VARIABLE[LIGHT["ink"].lower()]
ROOT_STYLE = f"fill:{VARIABLE['#000000']};stroke-linejoin:round;stroke-linecap:butt"

NOISE = re.compile(
    r"<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*(?:<style.*?</style>)?\s*</defs>", re.DOTALL
)
INVISIBLE = re.compile(r'<path [^>]*style="fill: none"/>')
ROOT = re.compile(r'^<svg [^>]*?viewBox="([^"]*)"[^>]*>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
GROUP = re.compile(r"(</?g\b[^>]*>)")
REFERRED = re.compile(r'(?:href="#|url\(#)([^")]+)')
IDENTIFIER = re.compile(r' id="([^"]*)"')
PATH = re.compile(r'( d=")([^"]*)')
GEOMETRY = re.compile(r'( (?:x|y|width|height|points)=")([^"]*)')
TRANSLATION = re.compile(r"translate\([^)]*\)")
DECIMALS = re.compile(r"-?\d+\.\d{2,}")
STYLE = re.compile(r' style="([^"]*)"')
FONT = re.compile(r"^(?:(?P<weight>\d+|bold|normal) )?(?P<size>[\d.]+px)\b")
NO_TURN = re.compile(r"\s*rotate\(-?0(?:\.0+)?(?: [^)]*)?\)")


def of(drawing, alt: str = "") -> str:
    """The markup of a figure: an `<svg>`, or an `<img>` where GPUSIM_PICTURES=png asks for it.

    drawing : matplotlib Axes or Figure
    alt : what it shows, in words and numbers, where the plot itself does not say it
    """
    figure = getattr(drawing, "figure", None) or drawing
    alt = alt_text(figure) or alt
    return _png(figure, alt) if os.environ.get("GPUSIM_PICTURES") == "png" else clean(_saved(figure), alt)


def _saved(figure) -> str:
    """The SVG as matplotlib writes it, with text as text and no date."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "gpusim"}):
        figure.savefig(buffer, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _png(figure, alt: str) -> str:
    """The same picture in dots, for a front end that does not show inline SVG."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=200, facecolor="white")
    code = base64.b64encode(buffer.getvalue()).decode()
    return f'<img class="dark-light" src="data:image/png;base64,{code}" alt="{escape(alt)}">'


def clean(text: str, alt: str = "") -> str:
    """The SVG text of matplotlib made small, themed and readable aloud.

    >>> mark = '<g id="a"><path d="M 1.2345 2" style="fill: #1a73c7"/></g>'
    >>> text = clean(f'<svg width="9pt" viewBox="0 0 9 9">{mark}</svg>', "12 sectors")
    >>> text[:57]
    '<svg viewBox="0 0 9 9" role="img" aria-label="12 sectors"'
    >>> text[text.index("<path"):]
    '<path d="M1.2 2" style="fill:var(--gs-load,#1A73C7)"/></svg>'
    """
    text = INVISIBLE.sub("", NOISE.sub("", text[text.index("<svg") :]))
    referred = set(REFERRED.findall(text))
    text = TAG.sub(lambda tag: _tag(tag[0], referred), text)
    text = _unwrapped(re.sub(r"\s*\n\s*", " ", re.sub(r">\s+<", "><", text)).strip())
    head = f'role="img" aria-label="{escape(alt)}" style="{ROOT_STYLE}">'
    return ROOT.sub(lambda found: f'<svg viewBox="{found[1]}" {head}', text, count=1)


def _unwrapped(text: str) -> str:
    """The text without the groups that say nothing: matplotlib wraps every mark in two or three."""
    kept, plain = [], []
    for part in GROUP.split(text):
        opens = part.startswith("<g")
        if opens:
            plain.append(part == "<g>")
        dropped = plain[-1] if opens else part == "</g>" and plain.pop()
        kept.append("" if dropped else part)
    return "".join(kept)


def _tag(tag: str, referred: set) -> str:
    """One tag without needless ids, digits and turns, its style in the page's terms."""
    tag = IDENTIFIER.sub(lambda found: found[0] if found[1] in referred else "", tag)
    tag = PATH.sub(lambda found: found[1] + _path(found[2]), tag)
    tag = GEOMETRY.sub(lambda found: found[1] + DECIMALS.sub(_tenth, found[2]), tag)
    tag = TRANSLATION.sub(lambda found: DECIMALS.sub(_tenth, found[0]), tag)
    return STYLE.sub(_style, NO_TURN.sub("", tag).replace(' transform=""', ""))


def _tenth(digits) -> str:
    text = f"{float(digits[0]):.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _path(text: str) -> str:
    """A path with tenths of a point, its level and upright strokes written as H and V.

    >>> _path("M 1.234 2 L 5 2 L 5 9.06 L 1.23 9.06 z ")
    'M1.2 2H5V9.1H1.2z'
    """
    short, here = [], ("", "")
    for command, *points in re.findall(r"([A-Za-z])([^A-Za-z]*)", DECIMALS.sub(_tenth, text)):
        points = points[0].split()
        there = tuple(points[-2:]) or here
        same = [before == after for before, after in zip(here, there, strict=False)]
        if command == "L" and any(same):
            short.append(f"V{there[1]}" if same[0] else f"H{there[0]}")
        else:
            short.append(command + " ".join(points))
        here = there
    return "".join(short)


def _style(found) -> str:
    """A style attribute with variables for colours and no font family."""
    kept = [
        part for item in found[1].split(";") if item.strip() for part in _declaration(*item.split(":", 1))
    ]
    return f' style="{";".join(kept)}"' if kept else ""


def _declaration(name: str, value: str) -> list:
    """One declaration as the list of those that replace it."""
    name, value = name.strip(), value.strip()
    if name == "font-family":
        return []
    if name == "font-weight":
        return [f"font-weight:{_weight(value)}"]
    if name == "font":  # up to matplotlib 3.10: weight, size and family in one
        font = FONT.match(value)
        return [
            f"font-size:{font['size']}",
            *([f"font-weight:{_weight(font['weight'])}"] if font["weight"] else []),
        ]
    return [f"{name}:{VARIABLE.get(value.lower(), value)}"]


def _weight(value: str) -> str:
    """Semibold where matplotlib says bold: the page brings Plex in 400 and 600."""
    return "600" if value in ("bold", "700") else value


class Figure:
    """A picture with a sentence under it; the last value of a cell shows itself."""

    def __init__(self, markup: str, caption: str):
        self.markup, self.caption = markup, caption

    def _repr_html_(self) -> str:
        below = f'<figcaption class="gs-caption">{prose(self.caption)}</figcaption>' if self.caption else ""
        return dressed(
            f'<figure class="gs-figure"><div class="gs-plot">{self.markup}</div>{below}</figure>',
            script=False,
        )


def show(drawing, caption: str = "", alt: str = "") -> Figure:
    """A still figure for the page, with its description and, where given, the sentence under it.

    drawing : matplotlib Axes or Figure;  caption, alt : str
    """
    return Figure(of(drawing, alt), caption)
