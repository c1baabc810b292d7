"""wmma, the interface of CUDA C++ to the tensor cores: types of fragments, and what a warp does with them."""

from __future__ import annotations

from ..parse.functions import place_of
from ..parse.names import arguments
from ..parse.types import LIBRARY_TYPES
from ..text.mistakes import Mistake
from ..tree.nodes import Call, Expression, Literal
from ..tree.types import CHAR, FLOAT, HALF, INT, UINT, VOID, Fragment, Pointer, fragment, struct
from ..typing.conversions import assignable, decay, is_const, is_lvalue, mark_bound
from ..typing.refused import REFUSED_NAMESPACES
from ..typing.scope import BASE, Constant, Helper, Namespace, Pattern, Placeholder, ValuePlaceholder
from .library import helper
from .methods import to_scalar
from .templates import template_arguments

SHAPE = (16, 16, 16)
USES, LAYOUTS = ("matrix_a", "matrix_b", "accumulator"), ("row_major", "col_major")
_TAGS = {name: struct(name, [("_", CHAR)]) for name in (*USES, *LAYOUTS)}
_NAMES = {
    **_TAGS,
    "fragment": Helper("fragment"),
    "layout_t": INT,
    "mem_row_major": Constant(INT, 0),
    "mem_col_major": Constant(INT, 1),
    **{name: Helper(name) for name in ("fill_fragment", "load_matrix_sync", "store_matrix_sync", "mma_sync")},
    **{
        name: Helper("other_matrices")
        for name in ("precision", "experimental", "bmma_sync", "__float_to_tf32")
    },
}
BASE["nvcuda"].names["wmma"] = Namespace("wmma", _NAMES)


def fragment_type(p):
    """fragment<matrix_a, 16, 16, 16, half, row_major>, at its <."""
    token = p.tokens[p.i - 1]
    if p.texts[p.i] != "<":
        raise Mistake('argument list for class template "fragment" is missing', token)
    given = template_arguments(p)
    if any(isinstance(value, (Placeholder, ValuePlaceholder, Pattern)) for value in given):
        return Pattern("fragment", tuple(given))
    use, element, layout = fragment_arguments(p, given, token)
    made = fragment(use, element, layout)
    count = made.fields[0].type.count
    p.struct_scopes[made.name] = {
        "num_elements": Constant(INT, count),
        "num_storage_elements": Constant(INT, count),
        "element_type": element,
    }
    p.made_from[made.name] = "fragment", tuple(given)
    return made


def fragment_arguments(p, given, token):
    """(use, element type, layout or "") that the template arguments of a fragment say."""
    if not 5 <= len(given) <= 6:
        raise Mistake(
            f'wrong number of template arguments for "fragment": {len(given)} given, 5 or 6 wanted', token
        )
    use, layout = getattr(given[0], "name", None), getattr(given[5], "name", None) if given[5:] else ""
    if use not in USES or layout not in ("", *LAYOUTS):
        wrong, known = (given[0], USES) if use not in USES else (given[5], LAYOUTS)
        shown = getattr(wrong, "value", wrong)
        raise Mistake(f'"{shown}" is none of wmma::{", wmma::".join(known)}', token)
    sizes = tuple(getattr(value, "value", None) for value in given[1:4])
    element = given[4]
    if sizes != SHAPE or element not in ((HALF, FLOAT) if use == "accumulator" else (HALF,)):
        shape = " x ".join(str(size) for size in sizes)
        raise no_matrix(f"{use} of {shape} in {getattr(element, 'value', element)} is", token)
    if (use == "accumulator") == bool(layout):
        raise Mistake(
            "an accumulator has no layout of its own: loads and stores say it"
            if layout
            else f"{use} needs a layout: wmma::row_major or wmma::col_major, as its matrix lies in memory",
            token,
        )
    return use, element, layout


def no_matrix(what, token):
    return Mistake(f"{what} not supported", token, hint=REFUSED_NAMESPACES["mma"][1], unsupported=True)


@helper("other_matrices")
def helper_other_matrices(p, token):
    raise no_matrix(f'wmma\'s "{token.text}" is', token)


@helper("fragment")
def helper_fragment(p, token):
    raise Mistake('"fragment" is a type: declare a variable of it', token)


# Functions


def matrix_arguments(p, token, *counts):
    given = arguments(p)
    if len(given) not in counts:
        raise Mistake(
            f"too {'few' if len(given) < min(counts) else 'many'} arguments in function call",
            token,
            hint=f"{token.text} takes {' or '.join(map(str, counts))}, {len(given)} given",
        )
    return given


def fragment_of(p, value, uses, token, changes=False):
    """An argument as a fragment of one of these uses; changes : the call writes to it."""
    if not isinstance(getattr(value, "type", None), Fragment) or value.type.use not in uses:
        kind = getattr(value, "type", "{...}")
        raise Mistake(
            f'argument of type "{kind}" is incompatible with a fragment of {" or ".join(uses)}',
            place_of(p, value, token),
            hint=f"the arguments of {token.text} stand in the order of {_ORDER[token.text]}",
        )
    if not is_lvalue(value) or changes and is_const(value):
        raise Mistake("expression must be a modifiable lvalue", value.at)
    mark_bound(value)
    return value


def matrix_in_memory(p, value, element, token):
    """An argument as a pointer to the matrix's elements."""
    value = decay(to_scalar(p, value)) if isinstance(value, Expression) else value
    kind = getattr(value, "type", None)
    if not isinstance(kind, Pointer) or kind.to != element:
        shown = f'argument of type "{kind}"' if kind is not None else "{...}"
        raise Mistake(
            f"{shown} is incompatible with a matrix of {element} in memory",
            place_of(p, value, token),
            hint=f"{token.text} takes a pointer to the matrix's first element, {element}*",
        )
    if token.text == "store_matrix_sync" and kind.const:
        raise Mistake("the matrix is const: nothing can be stored in it", place_of(p, value, token))
    return value


def layout_in_memory(p, value, token):
    if not isinstance(value, Literal) or value.type is not INT or value.value not in (0, 1):
        raise Mistake(
            "the layout must be a constant here: wmma::mem_row_major or wmma::mem_col_major",
            place_of(p, value, token),
            unsupported=True,
        )
    return value


@helper("load_matrix_sync")
def helper_load_matrix_sync(p, token):
    """load_matrix_sync(a, A, ldm), and load_matrix_sync(c, C, ldm, mem_row_major)."""
    given, at = matrix_arguments(p, token, 3, 4), p.at(token)
    target = fragment_of(p, given[0], USES, token, changes=True)
    kind, pointer = target.type, matrix_in_memory(p, given[1], given[0].type.element, token)
    if (kind.use == "accumulator") != (len(given) == 4):
        raise Mistake(
            f"an accumulator has no layout of its own: {token.text} needs a fourth argument"
            if len(given) == 3
            else f"the layout of {kind.use} stands in its type: {token.text} takes 3 arguments",
            token,
            hint="wmma::mem_row_major or wmma::mem_col_major" if len(given) == 3 else None,
        )
    layout = (
        layout_in_memory(p, given[3], token)
        if given[3:]
        else Literal(at, INT, int(kind.layout == "col_major"))
    )
    stride = assignable(to_scalar(p, given[2]), UINT, "argument")
    return Call(at, VOID, "wmma::load_matrix_sync", [target, pointer, stride, layout])


@helper("store_matrix_sync")
def helper_store_matrix_sync(p, token):
    """store_matrix_sync(C, c, ldm, mem_row_major)"""
    given, at = matrix_arguments(p, token, 4), p.at(token)
    source = fragment_of(p, given[1], ("accumulator",), token)
    pointer = matrix_in_memory(p, given[0], source.type.element, token)
    stride = assignable(to_scalar(p, given[2]), UINT, "argument")
    layout = layout_in_memory(p, given[3], token)
    return Call(at, VOID, "wmma::store_matrix_sync", [source, pointer, stride, layout])


@helper("fill_fragment")
def helper_fill_fragment(p, token):
    """fill_fragment(c, 0.0f)"""
    given = matrix_arguments(p, token, 2)
    target = fragment_of(p, given[0], USES, token, changes=True)
    value = assignable(to_scalar(p, given[1]), target.type.element, "argument")
    return Call(p.at(token), VOID, "wmma::fill_fragment", [target, value])


@helper("mma_sync")
def helper_mma_sync(p, token):
    """mma_sync(d, a, b, c): d = a b + c"""
    given = matrix_arguments(p, token, 4)
    uses = ("accumulator", "matrix_a", "matrix_b", "accumulator")
    fragments = [fragment_of(p, v, (use,), token, k == 0) for k, (v, use) in enumerate(zip(given, uses))]
    return Call(p.at(token), VOID, "wmma::mma_sync", fragments)


_ORDER = {
    "load_matrix_sync": "fragment, pointer, elements from line to line",
    "store_matrix_sync": "pointer, accumulator, elements from line to line, layout",
    "fill_fragment": "fragment, number",
    "mma_sync": "result, matrix_a, matrix_b, accumulator",
}


LIBRARY_TYPES[Helper("fragment")] = fragment_type
