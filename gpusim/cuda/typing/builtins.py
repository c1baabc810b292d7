"""The functions and constants that CUDA has built in: one table of names, kinds and typing rules.

A signature is "result:parameters" in letters: b bool, s short, S unsigned short, i int, u unsigned, l long long,
L unsigned long long, h half, f float, d double, v void, 2 half2; I, F, D pointers to int, float, double through
which the function writes.  The arguments decide what these are: r float if all of them are float, else double; c
their common type; t any type of `over`; p a pointer to t.  A parameter with a default may be left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from ..text.literals import conversions
from ..text.mistakes import Mistake
from ..tree.nodes import Call, Literal
from ..tree.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    SHORT,
    UINT,
    ULONGLONG,
    USHORT,
    VECTORS,
    VOID,
    Pointer,
    is_float,
)
from . import rounded
from .conversions import assignable, common, condition, decay, is_arithmetic, promote

LETTERS = {
    "b": BOOL,
    "i": INT,
    "u": UINT,
    "l": LONGLONG,
    "L": ULONGLONG,
    "h": HALF,
    "s": SHORT,
    "S": USHORT,
    "f": FLOAT,
    "d": DOUBLE,
    "v": VOID,
    "2": VECTORS["half2"],
    "I": Pointer(INT),
    "F": Pointer(FLOAT),
    "D": Pointer(DOUBLE),
}


@dataclass(frozen=True)
class Builtin:
    """A built-in function.

    kind : "math", "integer", "bits" (reinterpreted bits), "warp", "vote", "atomic", "sync", "fence", "clock",
           "print", "assert", "trap", "hint" or "matrix"
    function : the operation without type suffix and rounding: "exp" for exp, expf and __expf
    signature, over, defaults : see the module's first lines
    """

    name: str
    kind: str
    signature: str
    function: str
    over: str = ""
    defaults: tuple = ()


def _rows():
    """The table, row by row: kind, signature, names; "NAME=FUNCTION" where they differ."""
    unary = (
        "sqrt cbrt rsqrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh"
        " cosh tanh"
        " asinh acosh atanh erf erfc tgamma lgamma ceil floor trunc round rint nearbyint fabs"
        " logb sinpi cospi tanpi normcdf"
    )
    binary = "pow fmod atan2 hypot copysign fdim fmax fmin remainder nextafter rhypot"
    for signature, names in (
        ("r:r", unary),
        ("r:rr", binary),
        ("r:rrr", "fma norm3d rnorm3d"),
        ("r:rrrr", "norm4d"),
    ):
        yield "math", signature, names
        suffixed = " ".join(f"{name}f={name}" for name in names.split())
        yield "math", signature.replace("r", "f"), suffixed
    yield (
        "math",
        "f:f",
        (
            "__expf=exp __exp10f=exp10 __logf=log __log2f=log2 __log10f=log10 __sinf=sin __cosf=cos"
            " __tanf=tan __tanhf=tanh __frsqrt_rn=rsqrt __fsqrt_rn=sqrt __saturatef=saturate"
        ),
    )
    yield "math", "f:ff", "__powf=pow"
    yield "math", "d:d", "__dsqrt_rn=sqrt"
    yield "math", "f:fff", "__fmaf_rn=fma __fmaf_ieee_rn=fma"
    yield "math", "d:ddd", "__fma_rn=fma"
    yield "math", "h:hhh", "__hfma=fma"
    yield (
        "math",
        "h:h",
        (
            "hsqrt=sqrt hrsqrt=rsqrt hexp=exp hexp2=exp2 hlog=log hlog2=log2 hsin=sin hcos=cos"
            " hfloor=floor hceil=ceil htrunc=trunc hrint=rint __habs=fabs"
        ),
    )
    yield "math", "h:hh", "__hmax=fmax __hmin=fmin"
    yield "math", "c:cc", "min max"
    yield "math", "c:c", "abs"
    yield "math", "u:uu", "umin=min umax=max"
    yield "math", "l:ll", "llmin=min llmax=max"
    yield "math", "L:LL", "ullmin=min ullmax=max"
    yield "math", "l:l", "labs=abs llabs=abs"
    yield "math", "b:r", "isnan isinf isfinite signbit"
    yield "math", "b:h", "__hisnan=isnan __hisinf=isinf"
    yield "math", "r:ri", "ldexp scalbn=ldexp scalbln=ldexp"
    yield "math", "f:fi", "ldexpf=ldexp scalbnf=ldexp"
    yield "math", "i:r", "ilogb"
    yield "math", "i:f", "ilogbf=ilogb"
    yield "math", "l:r", "llrint=lrint lrint llround=lround lround"
    yield "math", "l:f", "llrintf=lrint lrintf=lrint llroundf=lround lroundf=lround"
    for letter, target in (("i", "int"), ("u", "uint"), ("l", "ll"), ("L", "ull")):
        for source in ("float", "double", "half"):
            code = source[0]
            names = " ".join(f"__{source}2{target}_{mode}=to_integer_{mode}" for mode in ("rn", "ru", "rd"))
            yield "math", f"{letter}:{code}", names
    yield "math", "v:fFF", "sincosf=sincos __sincosf=sincos"
    yield "math", "v:dDD", "sincos"
    yield "math", "f:fF", "modff=modf"
    yield "math", "d:dD", "modf"
    yield "math", "f:fI", "frexpf=frexp"
    yield "math", "d:dI", "frexp"
    yield "bits", "f:i", "__int_as_float=as_float"
    yield "bits", "f:u", "__uint_as_float=as_float"
    yield "bits", "i:f", "__float_as_int=as_int"
    yield "bits", "u:f", "__float_as_uint=as_uint"
    yield "bits", "l:d", "__double_as_longlong=as_longlong"
    yield "bits", "d:l", "__longlong_as_double=as_double"
    yield "integer", "i:u", "__popc=popc"
    yield "integer", "i:L", "__popcll=popc"
    yield "integer", "i:i", "__clz=clz __ffs=ffs"
    yield "integer", "i:l", "__clzll=clz __ffsll=ffs"
    yield "integer", "u:u", "__brev=brev"
    yield "integer", "L:L", "__brevll=brev"
    yield "integer", "i:ii", "__mulhi=mulhi __mul24=mul24"
    yield "integer", "u:uu", "__umulhi=mulhi __umul24=mul24"
    yield "integer", "l:ll", "__mul64hi=mulhi"
    yield "integer", "L:LL", "__umul64hi=mulhi"
    yield (
        "integer",
        "u:uuu",
        "__byte_perm=byte_perm __funnelshift_l=funnelshift_l __funnelshift_r=funnelshift_r",
    )
    yield from rounded.rows()
    yield "sync", "v:", "__syncthreads"
    yield "sync", "i:b", "__syncthreads_count"
    yield "sync", "i:b", "__syncthreads_and __syncthreads_or"
    yield "fence", "v:", "__threadfence __threadfence_block __threadfence_system"
    yield "vote", "i:ub", "__all_sync=all __any_sync=any"
    yield "vote", "u:ub", "__ballot_sync=ballot"
    yield "vote", "u:", "__activemask=activemask"
    yield "clock", "l:", "clock64 clock"
    yield "trap", "v:", "__trap __brkpt"
    yield "print", "i:", "printf"
    yield "assert", "v:b", "assert"


def _table():
    table = {}
    for kind, signature, names in _rows():
        for name in names.split():
            name, _, function = name.partition("=")
            table[name] = Builtin(name, kind, signature, function or name)

    def add(name, kind, signature, over, defaults=(), function=None):
        table[name] = Builtin(name, kind, signature, function or name.strip("_"), over, defaults)

    add("__syncwarp", "sync", "v:u", "", (0xFFFFFFFF,), "__syncwarp")
    for way, letter in (("", "i"), ("_up", "u"), ("_down", "u"), ("_xor", "i")):
        add(f"__shfl{way}_sync", "warp", f"t:ut{letter}i", "iulLfdh2", (32,), f"shfl{way}")
    for name in ("add", "min", "max"):
        add(f"__reduce_{name}_sync", "vote", "t:ut", "iu", (), f"reduce_{name}")
    for name in ("and", "or", "xor"):
        add(f"__reduce_{name}_sync", "vote", "t:ut", "u", (), f"reduce_{name}")
    for suffix in ("", "_block", "_system"):
        for name, over in (
            ("Add", "iuLfdh2"),
            ("Sub", "iu"),
            ("Exch", "iuLf"),
            ("Min", "iulL"),
            ("Max", "iulL"),
            ("And", "iuL"),
            ("Or", "iuL"),
            ("Xor", "iuL"),
            ("Inc", "u"),
            ("Dec", "u"),
        ):
            add(f"atomic{name}{suffix}", "atomic", "t:pt", over, (), f"atomic{name}")
        add(f"atomicCAS{suffix}", "atomic", "t:ptt", "iuL", (), "atomicCAS")
    return table


BUILTINS = _table()


def call(builtin, arguments, at):
    """The Call of a built-in function, arguments converted as its signature says."""
    if builtin.kind == "print":
        return _printf(builtin, arguments, at)
    result, _, letters = builtin.signature.partition(":")
    arguments = [decay(argument) for argument in arguments]
    missing = len(letters) - len(arguments)
    if missing < 0 or missing > len(builtin.defaults):
        raise Mistake(
            f"too {'many' if missing < 0 else 'few'} arguments in function call",
            at,
            hint=f"{builtin.name} takes {len(letters)}, {len(arguments)} given",
        )
    for value, letter in zip(builtin.defaults[len(builtin.defaults) - missing :], letters[len(arguments) :]):
        arguments.append(Literal(at, LETTERS[letter], value))
    kinds = {**LETTERS, **_decide(builtin, letters, arguments, at)}
    converted = [
        condition(argument) if letter == "b" else assignable(argument, kinds[letter], "argument")
        for argument, letter in zip(arguments, letters)
    ]
    if builtin.function in _FOLDED and all(isinstance(value, Literal) for value in converted):
        return Literal(at, kinds[result], _FOLDED[builtin.function](*(value.value for value in converted)))
    return Call(at, kinds[result], builtin.name, converted)


_FOLDED = {"min": min, "max": max}


def _decide(builtin, letters, arguments, at):
    """What the letters r, c, t and p stand for in this call."""
    for letter in "ptcr":
        given = [argument.type for argument, place in zip(arguments, letters) if place == letter]
        if not given:
            continue
        if letter == "p":
            kind = given[0].to if isinstance(given[0], Pointer) and not given[0].const else None
            if kind in [LETTERS[code] for code in builtin.over]:
                return {"p": given[0], "t": kind}
        elif letter == "t":
            kind = promote(given[0]) if is_arithmetic(given[0]) else given[0]
            if kind in [LETTERS[code] for code in builtin.over]:
                return {"t": kind}
        elif all(is_arithmetic(kind) for kind in given):
            if letter == "c":
                return {"c": promote(reduce(common, given))}
            single = all(is_float(kind) and kind.size < 8 for kind in given)
            return {"r": FLOAT if single else DOUBLE}
        raise _no_match(builtin.name, arguments, at, builtin)
    return {}


def _no_match(name, arguments, at, builtin):
    kinds = ", ".join(str(argument.type) for argument in arguments)
    hint = None
    if builtin.over:
        allowed = ", ".join(str(LETTERS[code]) for code in builtin.over)
        hint = f"{name} works on {allowed}"
        if builtin.kind == "atomic":
            pointer = arguments[0].type if arguments else None
            const = isinstance(pointer, Pointer) and pointer.const
            hint = (
                f"{name} changes what its pointer points to, which is const"
                if const
                else (f"{name} takes a pointer to one of: {allowed}")
            )
    return Mistake(
        f'no instance of overloaded function "{name}" matches the argument list: '
        f"argument types are: ({kinds})",
        at,
        hint=hint,
    )


def _printf(builtin, arguments, at):
    """printf: arguments undergo the default promotions."""
    if not arguments or not (isinstance(arguments[0], Literal) and isinstance(arguments[0].value, str)):
        raise Mistake("printf needs a text in quotes as its first argument", at)
    wanted = conversions(arguments[0].value)
    if len(arguments) - 1 < wanted:
        raise Mistake(f"printf: the text takes {wanted} values, {len(arguments) - 1} given", at)
    promoted = [arguments[0]]
    for argument in map(decay, arguments[1:]):
        kind = argument.type
        if is_arithmetic(kind):
            argument = assignable(argument, DOUBLE if is_float(kind) else promote(kind), "argument")
        elif not isinstance(kind, Pointer):
            raise Mistake(f'printf cannot show a value of type "{kind}"', argument.at)
        promoted.append(argument)
    return Call(at, INT, builtin.name, promoted)
