"""A drawing as the markup that a page takes in: an inline SVG in the page's colours and font, or dots on request."""

from __future__ import annotations

import base64
import io
import os
import re

from .page import dressed, escape, prose

NO_ALT = ' aria-label=""'


def of(drawing, alt: str = "") -> str:
    """The markup of a figure: an `<svg>`, or an `<img>` where GPUSIM_PICTURES=png asks for it.

    drawing : matplotlib Axes or Figure
    alt : what it shows, in words and numbers, where the plot itself does not say it
    """
    from .plot import alt_text, svg

    figure = getattr(drawing, "figure", None) or drawing
    if os.environ.get("GPUSIM_PICTURES") == "png":
        return _png(figure, alt_text(figure) or alt)
    return unwrapped(svg(figure)).replace(NO_ALT, f' aria-label="{escape(alt)}"', 1)


def _png(figure, alt: str) -> str:
    """The same picture in dots, for a front end that does not show inline SVG."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=200, facecolor="white")
    code = base64.b64encode(buffer.getvalue()).decode()
    return f'<img class="dark-light" src="data:image/png;base64,{code}" alt="{escape(alt)}">'


def unwrapped(text: str) -> str:
    """The text without the groups that say nothing: matplotlib wraps every mark in two or three.

    >>> unwrapped('<svg><g><g clip-path="url(#a)"><path/></g></g></svg>')
    '<svg><g clip-path="url(#a)"><path/></g></svg>'
    """
    kept, plain = [], []
    for part in re.split(r"(</?g\b[^>]*>)", text):
        opens = part.startswith("<g")
        if opens:
            plain.append(part == "<g>")
        dropped = plain[-1] if opens else part == "</g>" and plain.pop()
        kept.append("" if dropped else part)
    return "".join(kept)


class Shown:
    """A picture with a sentence under it; the last value of a cell shows itself."""

    def __init__(self, markup: str, caption: str):
        self.markup, self.caption = markup, caption

    def _repr_html_(self) -> str:
        below = f'<figcaption class="gs-caption">{prose(self.caption)}</figcaption>' if self.caption else ""
        return dressed(f'<figure class="gs-figure"><div class="gs-plot">{self.markup}</div>{below}</figure>', script=False)


def show(drawing, caption: str = "", alt: str = "") -> Shown:
    """A still figure for the page, with its description and, where given, the sentence under it.

    drawing : matplotlib Axes or Figure;  caption, alt : str
    """
    return Shown(of(drawing, alt), caption)
