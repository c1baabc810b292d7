"""How HTML reaches the reader: a built page loads the player once, a notebook gets it with every output."""

from __future__ import annotations

import numbers
import os
import pathlib
from html import escape as _escape

from .written import integer, three

__all__ = ["dressed", "escape", "is_static", "number", "prose", "style"]
HERE = pathlib.Path(__file__).parent / "pages"


def is_static() -> bool:
    """True while the book is being built: what is shown must then work with no kernel."""
    return os.environ.get("GPUSIM_STATIC", "") == "1"


def dressed(body: str, script: bool = True) -> str:
    """HTML with the styles and the script that it needs in a notebook; as it is in the built page.

    >>> "<script>" in dressed("<p>12 sectors</p>")
    True
    """
    if is_static():
        return body
    player = f"<script>{(HERE / 'player.js').read_text(encoding='utf-8')}</script>" if script else ""
    return style() + body + player


def style() -> str:
    """The style sheet as an element, or nothing in the built page."""
    return "" if is_static() else f"<style>{(HERE / 'player.css').read_text(encoding='utf-8')}</style>"


def escape(text) -> str:
    """Text for HTML, inside an attribute as well.

    >>> escape('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    return _escape(str(text), quote=True)


def prose(text) -> str:
    """One paragraph's text for HTML: `code` between backticks, *emphasis* between stars.

    >>> prose("lane *i* reads `a[3*i]` & stops")
    'lane <em>i</em> reads <code>a[3*i]</code> &amp; stops'
    """
    if str(text).count("`") % 2:
        raise ValueError(f"a backtick stands alone in {text!r}")
    return _with_code(text, _emphasis)


def coded(text) -> str:
    """Text for HTML with `code` between backticks, where they come in pairs; stars are stars.

    >>> coded("`a[3*i]` * 2"), coded("a lone ` & no more")
    ('<code>a[3*i]</code> * 2', 'a lone ` &amp; no more')
    """
    return escape(text) if str(text).count("`") % 2 else _with_code(text, str)


def _with_code(text, between) -> str:
    """Escaped text with `code` set as code, and `between` applied to what stands between."""
    parts = enumerate(escape(text).split("`"))
    return "".join(f"<code>{part}</code>" if place % 2 else between(part) for place, part in parts)


def _emphasis(text: str) -> str:
    parts = text.split("*")
    if len(parts) % 2 == 0:  # a single star is a multiplication sign, not emphasis
        return text
    return "".join(f"<em>{part}</em>" if place % 2 else part for place, part in enumerate(parts))


def number(value) -> str:
    """A value as the book prints it: integers exact, in groups of three; other numbers to three digits.

    >>> from gpusim.show.written import THIN
    >>> number(17301504).replace(THIN, " "), number(0.58984), number(103.2), number(True), number("none")
    ('17 301 504', '0.59', '103', 'on', 'none')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str):
        return value
    return integer(value) if isinstance(value, numbers.Integral) else three(value)
