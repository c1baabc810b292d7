"""Values that the caller gives for #define, file-scope constants and template parameters."""

from __future__ import annotations

import numpy as np

from ...errors import CudaSyntaxError
from ..tree.types import SCALARS
from .mistakes import Mistake, did_you_mean
from .tokens import Token, tokenize


def tokens_of(name, value):
    """The tokens that stand for `value`: a number, a bool, a type (NumPy's or a name), or CUDA C text.

    >>> [token.text for token in tokens_of("N", -4)], tokens_of("T", np.float32)[0].text
    (['(', '-', '4', ')'], 'float')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, int):
        text = str(value) if value >= 0 else f"({value})"
    elif isinstance(value, float):
        text = repr(value) if value >= 0 else f"({value!r})"
        text = {"inf": "INFINITY", "(-inf)": "(-INFINITY)", "(nan)": "NAN"}.get(text, text)
    elif isinstance(value, str):
        text = value
    else:
        text = _type_text(name, value)
    try:
        tokens = tokenize(text)[:-1]
    except Mistake as mistake:
        raise CudaSyntaxError(f"{name}={text[:60]!r}: {mistake.message}") from None
    return [Token(token.kind, token.text, 0, 0, token.before) for token in tokens]


def _type_text(name, value):
    if hasattr(value, "size") and hasattr(value, "align"):
        return str(value)
    try:
        return str(SCALARS[np.dtype(value)])
    except (TypeError, KeyError):
        raise CudaSyntaxError(
            f"{name}={value!r}: give a number, a bool, a type or a text of CUDA C, not {type(value).__name__}"
        ) from None


def macro_overrides(tokens, names):
    """Those of `names` that work as macros: all but the ones that the text itself declares.

    A name is declared where it stands in template <...>, or between a type and = as in `const int TILE = 16`.
    """
    declared, defined, i = set(), set(), 0
    wanted = set(names)
    for i, token in enumerate(tokens):
        if token.text in wanted and token.kind == "name":
            before, after = tokens[i - 1].text if i else "", tokens[i + 1].text
            if (
                before in ("define", "ifdef", "ifndef", "undef")
                or before == "("
                and tokens[i - 2].text == "defined"
            ):
                defined.add(token.text)
            elif after in ("=", ",", ">", ";", "{") and tokens[i - 1].kind == "name" and _declares(tokens, i):
                declared.add(token.text)
            elif after in ("=", ",", "}") and before in ("{", ",") and _in_enum(tokens, i):
                declared.add(token.text)
    return {name for name in wanted if name in defined or name not in declared}


def _declares(tokens, i):
    """True when the name at i is a template's parameter or a const, by the words before it."""
    back, constant = i - 1, False
    while back >= 0 and i - back < 40 and tokens[back].text not in (";", "{", "}", "(", ")"):
        if tokens[back].text == "template":
            return True
        constant = constant or tokens[back].text in ("const", "constexpr")
        back -= 1
    return constant and tokens[i + 1].text in ("=", "{")


def _in_enum(tokens, i):
    back = i - 1
    while back >= 0 and i - back < 400 and tokens[back].text not in (";", "}", ")"):
        if tokens[back].text == "enum":
            return True
        back -= 1
    return False


def unused(names, known):
    """The error for keywords that the text does not mention."""
    name = sorted(names)[0]
    known = sorted(known)
    allowed = f"it has {', '.join(known[:20])}" if known else "it has none"
    return CudaSyntaxError(
        f'"{name}" is no #define, constant or template parameter of this text; {allowed}',
        hint=did_you_mean(name, known),
    )
