"""Random programs of the kind that finds wrong results: nested calls, references, early returns, continue, lambdas,
switch, structs with methods, other types over the same bytes, 64 bits; and what a C++ compiler makes of them.

Each program is a kernel k(int *o, const int *a) whose threads do not meet.  What C++ leaves open does not occur: an
expression has effects in one place only, or where their order is fixed; loops end; divisors are positive.
"""

from __future__ import annotations

import random
import shutil
import subprocess

import numpy as np

COMPILER = shutil.which("g++") or shutil.which("clang++")
LAUNCHES = ((2, 32), (3, 40), (12, 64))  # blocks, threads; the last is large enough for loops to be packed
INTS = ("int", "unsigned int", "long long", "unsigned long long", "short", "unsigned char")
LITERALS = "0 1 2 3 7 -1 -5 100 255 65535 0x7fffffff 0x80000000u 5ll 0x9E3779B97F4A7C15ull 0x8000000000000000ull".split()


class Writer:
    """Writes one program, by chance.

    scope : [(name, type)] of variables that may be read and written; counters : those that a loop needs
    """

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.grid, self.block = self.rng.choice(LAUNCHES)
        self.serial, self.functions, self.lines, self.scope = 0, [], [], []
        self.arrays, self.structs, self.lambdas = [], [], []
        self.loops = self.budget = 0
        self.result = None  # what `return` must be followed by

    def name(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def chance(self, share):
        return self.rng.random() < share

    # Expressions without effects.

    def pure(self, depth=2):
        rng = self.rng
        if depth <= 0 or self.chance(0.2):
            return self.leaf()
        form = rng.choice(
            ["op"] * 6
            + ["div", "shift", "compare", "not", "cast", "select", "call", "call", "pun", "min", "float"]
        )
        x, y = self.pure(depth - 1), self.pure(depth - 1)
        if form == "op":
            return f"({x} {rng.choice('+-*&|^')} {y})"
        if form == "div":
            return f"({x} {rng.choice('/%')} (({y} & 15) + 1))"
        if form == "shift":
            return f"({x} {rng.choice(('<<', '>>'))} ({y} & 7))"
        if form == "compare":
            return f"({x} {rng.choice(('<', '==', '>=', '!=', '&&', '||'))} {y})"
        if form == "not":
            return f"({rng.choice('~!')}{x})"
        if form == "cast":
            return f"(({rng.choice(INTS)}){x})"
        if form == "select":
            return f"({self.pure(depth - 1)} ? {x} : {y})"
        if form == "call" and self.functions:
            return f"{rng.choice(self.functions)}((int){x}, (int){y})"
        if form == "pun" and self.whole():
            return self.pun(rng.choice(self.whole()))
        if form == "min":
            return f"{rng.choice(('min', 'max'))}((int){x}, (int){y})"
        return f"(int)((float)({x} & 1023) * 0.5f + (float)({y} & 31))"

    def leaf(self):
        rng = self.rng
        if self.arrays and self.chance(0.2):
            return f"{rng.choice(self.arrays)}[{self.simple()} & 3]"
        if self.structs and self.chance(0.25):
            return rng.choice(self.structs) + rng.choice((".p", ".q", ".r", ".get()"))
        return rng.choice(LITERALS) if self.chance(0.25) else self.simple()

    def simple(self):
        return self.rng.choice(self.scope)[0] if self.scope else "1"

    def whole(self):
        return [name for name, kind in self.scope if kind == "int" and not name.startswith("r")]

    def pun(self, name):
        return self.rng.choice(
            (
                f"((unsigned char *)&{name})[{self.simple()} & 3]",
                f"*(unsigned int *)&{name}",
                f"((short *)&{name})[1]",
            )
        )

    # Expressions with effects.

    def effect(self, depth=1):
        rng, target = self.rng, self.target()
        form = rng.choice(("step", "assign", "comma", "select", "and", "call", "method", "lambda"))
        if form == "step":
            return rng.choice((f"{target}++", f"--{target}", f"{target}--", f"++{target}"))
        if form == "assign":
            return f"({target} {rng.choice(('=', '+=', '-=', '^=', '*='))} {self.pure(depth)})"
        if form == "comma":
            return f"({self.effect(depth - 1) if depth else target + '++'}, {self.pure(depth)})"
        if form == "select":
            return f"({self.pure(depth)} ? {self.effect(depth - 1) if depth else target + '++'} : ({self.target()} = {self.pure(depth)}))"
        if form == "and":
            return f"({self.pure(depth)} {rng.choice(('&&', '||'))} ({target} += {self.pure(depth)}) > 3)"
        if form == "method" and self.structs:
            return f"{rng.choice(self.structs)}.{rng.choice(('add', 'twice'))}({self.int(depth)}).get()"
        if form == "lambda" and self.lambdas:
            return f"{rng.choice(self.lambdas)}({self.int(depth)})"
        whole = self.whole()
        return f"change({rng.choice(whole)}, {self.int(depth)})" if whole else f"{target}++"

    def int(self, depth):
        return f"(int)({self.pure(depth)})"

    def target(self):
        rng = self.rng
        if self.arrays and self.chance(0.25):
            return f"{rng.choice(self.arrays)}[{self.simple()} & 3]"
        if self.structs and self.chance(0.2):
            return rng.choice(self.structs) + rng.choice((".p", ".q", ".r"))
        return rng.choice([name for name, _ in self.scope])

    # Statements.

    def statements(self, count, depth, indent):
        marks = [len(x) for x in (self.scope, self.arrays, self.structs, self.lambdas)]
        for _ in range(count):
            self.statement(depth, indent)
        for kept, mark in zip((self.scope, self.arrays, self.structs, self.lambdas), marks):
            del kept[mark:]

    def statement(self, depth, indent):
        rng, pad = self.rng, "    " * indent
        self.budget -= 1
        forms = (
            ["assign"] * 4
            + ["effect"] * 3
            + ["declare"] * 2
            + ["reference", "pointer", "array", "struct", "lambda"]
        )
        if depth > 0 and self.budget > 0:
            forms += ["if"] * 3 + ["for"] * 2 + ["while", "do", "switch", "switch"]
        if self.loops:
            forms += ["jump"] * 2
        if self.result is not None:
            forms += ["return"]
        getattr(self, "write_" + rng.choice(forms))(depth, indent, pad)

    def add(self, text):
        self.lines.append(text)

    def write_assign(self, depth, indent, pad):
        op = self.rng.choice(("=", "=", "+=", "-=", "^=", "|=", "*=", "<<="))
        value = f"({self.pure()} & 7)" if op == "<<=" else self.pure(3)
        self.add(f"{pad}{self.target()} {op} {value};")

    def write_effect(self, depth, indent, pad):
        if self.chance(0.4):
            self.add(f"{pad}{self.target_apart()} = {self.effect(2)};")
        else:
            self.add(f"{pad}{self.effect(2)};")

    def target_apart(self):
        return self.rng.choice([name for name, _ in self.scope])

    def write_declare(self, depth, indent, pad):
        name, kind = self.name("x"), self.rng.choice(INTS[:4])
        self.add(f"{pad}{kind} {name} = {self.effect() if self.chance(0.3) else self.pure()};")
        self.scope.append((name, kind))

    def write_reference(self, depth, indent, pad):
        name, whole = self.name("r"), self.whole()
        if self.arrays and self.chance(0.6):
            place = f"{self.rng.choice(self.arrays)}[{self.simple()} & 3]"
        elif self.structs and self.chance(0.5):
            place = self.rng.choice(self.structs) + ".p"
        elif whole:
            place = self.rng.choice(whole)
        else:
            return
        self.add(f"{pad}int &{name} = {place};")
        self.scope.append((name, "int"))

    def write_pointer(self, depth, indent, pad):
        if not self.arrays:
            return
        name, array = self.name("p"), self.rng.choice(self.arrays)
        if array.startswith("p"):
            return
        self.add(f"{pad}int *{name} = {array} + ({self.simple()} & 1);")
        self.add(f"{pad}*{name} += {self.pure()};")
        if self.chance(0.5):
            self.add(f"{pad}*{name}++ = {self.pure()}; {name}[{self.simple()} & 1] ^= {self.pure()};")

    def write_array(self, depth, indent, pad):
        name = self.name("v")
        parts = [self.effect() if self.chance(0.3) else self.pure(1) for _ in range(self.rng.choice((2, 4)))]
        self.add(f"{pad}int {name}[4] = {{{', '.join(f'(int)({part})' for part in parts)}}};")
        self.arrays.append(name)

    def write_struct(self, depth, indent, pad):
        name = self.name("s")
        if self.structs and self.chance(0.4):
            self.add(f"{pad}S {name} = {self.rng.choice(self.structs)};")
        else:
            self.add(
                f"{pad}S {name} = {{{self.int(1)}, (short)({self.pure(1)}), (unsigned int)({self.pure(1)})}};"
            )
        self.structs.append(name)

    def write_lambda(self, depth, indent, pad):
        rng, name, whole = self.rng, self.name("f"), self.whole()
        if not whole or self.lambdas:
            return
        kept, arrays, structs = list(self.scope), list(self.arrays), list(self.structs)
        if self.chance(0.5):
            self.add(
                f"{pad}auto {name} = [&](int z) {{ if ({self.pure(1)}) return z; {self.effect()}; return {self.int(1)}; }};"
            )
        else:
            chosen = rng.choice(whole)
            capture, self.scope = rng.choice((("=", kept), (chosen, [(chosen, "int")])))
            if capture != "=":
                self.arrays, self.structs = [], []
            self.add(f"{pad}auto {name} = [{capture}](int z) {{ return z + {self.int(1)}; }};")
        self.scope, self.arrays, self.structs = kept, arrays, structs
        self.lambdas.append(name)

    def write_if(self, depth, indent, pad):
        self.add(f"{pad}if ({self.effect() if self.chance(0.2) else self.pure()}) {{")
        self.statements(self.rng.randint(1, 3), depth - 1, indent + 1)
        if self.chance(0.5):
            self.add(f"{pad}}} else {{")
            self.statements(self.rng.randint(1, 2), depth - 1, indent + 1)
        self.add(f"{pad}}}")

    def loop_body(self, depth, indent):
        self.loops += 1
        self.statements(self.rng.randint(2, 4), depth - 1, indent + 1)
        self.loops -= 1

    def write_for(self, depth, indent, pad):
        name, bound = self.name("j"), self.rng.choice(("3", "5", f"({self.simple()} & 7)", "(a[i] & 15)"))
        self.add(f"{pad}for (int {name} = 0; {name} < {bound.replace('a[i]', 'n')}; {name}++) {{")
        self.loop_body(depth, indent)
        if self.chance(0.5):
            self.add(f"{pad}    {name} += {self.pure(1)} & 1;")
        self.add(f"{pad}    h += {name};")
        self.add(f"{pad}}}")

    def write_while(self, depth, indent, pad):
        name = self.name("w")
        self.add(f"{pad}int {name} = {self.int(1)} & 7;")
        self.add(f"{pad}while ({name}-- > 0) {{")
        self.loop_body(depth, indent)
        self.add(f"{pad}}}")
        self.scope.append((name, "int"))

    def write_do(self, depth, indent, pad):
        name = self.name("w")
        self.add(f"{pad}int {name} = 0;")
        self.add(f"{pad}do {{")
        self.loop_body(depth, indent)
        self.add(f"{pad}}} while (++{name} < ({self.pure(1)} & 3));")

    def write_switch(self, depth, indent, pad):
        self.add(f"{pad}switch ({self.int(1)} & 3) {{")
        labels = self.rng.sample([0, 1, 2, 3], self.rng.randint(2, 3))
        for label in [*labels, *(["default"] if self.chance(0.6) else [])]:
            self.add(f"{pad}{'default:' if label == 'default' else f'case {label}:'} {{")
            if self.chance(0.3):
                self.add(f"{pad}    if ({self.pure(1)}) break;")
            self.statements(self.rng.randint(1, 2), depth - 1, indent + 1)
            self.add(f"{pad}}}{' break;' if self.chance(0.6) else ''}")
        self.add(f"{pad}}}")

    def write_jump(self, depth, indent, pad):
        self.add(f"{pad}if ({self.pure()}) {{ {self.effect()}; {self.rng.choice(('continue', 'break'))}; }}")

    def write_return(self, depth, indent, pad):
        self.add(f"{pad}if ({self.pure(1)} & {self.pure(1)} & 1) {{ {self.result()} return; }}")

    # The whole.

    def function(self):
        """A function of two numbers with early returns."""
        name, kept = self.name("f"), self.lines
        self.lines, self.scope = [], [("x", "int"), ("y", "int")]
        self.add(f"__device__ int {name}(int x, int y) {{")
        for _ in range(self.rng.randint(0, 3)):
            self.add(f"    if ({self.pure(1)}) return (int)({self.pure(1)});")
            if self.chance(0.5):
                self.add(f"    {self.rng.choice('xy')} {self.rng.choice(('+=', '^=', '='))} {self.pure(1)};")
        self.add(f"    return (int)({self.pure(2)});\n}}")
        self.lines, text = kept, "\n".join(self.lines)
        self.functions.append(name)
        return text

    def text(self):
        functions = [self.function() for _ in range(self.rng.randint(1, 3))]
        self.scope = [("x", "int"), ("y", "int")]
        change = f"if ({self.pure(1)}) return (int)({self.pure(1)}); x += {self.int(1)}; return x ^ y;"
        add = f"if (y < 9) return *this; p += y; q ^= {self.rng.randint(1, 99)}; return *this;"
        self.scope = [("i", "int"), ("n", "int"), ("h", "int")]
        self.budget, self.result = 14, lambda: f"o[i] = h * 3 + {self.int(1)};"
        self.add("    int i = blockIdx.x * blockDim.x + threadIdx.x, n = a[i], h = i;")
        self.scope = [("n", "int"), ("h", "int")]
        self.write_array(0, 1, "    ")
        self.write_struct(0, 1, "    ")
        names = len(self.scope)
        for _ in range(self.rng.randint(5, 8)):
            self.statement(3, 1)
        names = [f"(int){name}" for name, _ in self.scope[:names]]
        names += [f"{v}[{k}]" for v in self.arrays for k in range(4)]
        names += [f"{s}{m}" for s in self.structs for m in (".p", ".q", ".r")]
        self.add("".join(f"    h = h * 31 + {name};\n" for name in names) + "    o[i] = h;")
        return "\n".join(
            [
                "struct S { int p; short q; unsigned int r;",
                f"    __device__ S &add(int y) {{ {add} }}",
                "    __device__ S &twice(int y) { if (y & 1) { r += y; return *this; } p *= 2; return *this; }",
                "    __device__ int get() const { if (p > q) return p; return (int)r; } };",
                *functions,
                f"__device__ int change(int &x, int y) {{ {change} }}",
                "__global__ void k(int *o, const int *a) {",
                *self.lines,
                "}",
            ]
        )


def program(seed):
    """(text, blocks, threads) of the program with this number."""
    writer = Writer(seed)
    text = writer.text()
    return text, writer.grid, writer.block


def numbers(seed, count):
    """What the array a holds."""
    rng = np.random.default_rng(seed)
    wide = rng.integers(-(2**31), 2**31, count)
    return np.where(rng.random(count) < 0.7, rng.integers(-20, 40, count), wide).astype(np.int32)


def by_compiler(seeds, folder):
    """{seed: what the program gives}, of programs compiled together."""
    parts = ["#include <cstdio>\n#include <algorithm>\nusing std::min; using std::max;"]
    parts += [
        "#define __global__\n#define __device__",
        "struct { unsigned int x; } threadIdx, blockIdx, blockDim;",
    ]
    calls, sizes = [], {}
    with open(folder / "in", "wb") as file:
        for seed in seeds:
            text, grid, block = program(seed)
            sizes[seed] = grid * block
            file.write(numbers(seed, sizes[seed]).tobytes())
            parts.append(f"namespace p{seed} {{\n{text}\n}}")
            calls.append(f"run(p{seed}::k, {grid}, {block});")
    parts.append(
        """FILE *in, *out; static int a[1024], o[1024];
void run(void k(int *, const int *), int grid, int block) {
  if (fread(a, 4, grid * block, in) != grid * block) throw 1;
  blockDim.x = block;
  for (int t = 0; t < grid * block; t++) { o[t] = 0; blockIdx.x = t / block; threadIdx.x = t % block; k(o, a); }
  fwrite(o, 4, grid * block, out); }
int main(int, char **name) { in = fopen(name[1], "rb"); out = fopen(name[2], "wb");
"""
        + "\n".join(calls)
        + "\nfclose(out); }"
    )
    (folder / "p.cpp").write_text("\n".join(parts))
    flags = ["-w", "-O0", "-std=c++17", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]
    subprocess.run([COMPILER, *flags, "-o", folder / "p", folder / "p.cpp"], check=True, timeout=600)
    subprocess.run([folder / "p", folder / "in", folder / "out"], check=True, timeout=300)
    whole, results = np.fromfile(folder / "out", np.int32), {}
    for seed, size in sizes.items():
        results[seed], whole = whole[:size], whole[size:]
    return results


def by_gpusim(seed):
    """What the program gives here."""
    import gpusim as gs

    text, grid, block = program(seed)
    out = gs.zeros(grid * block, np.int32)
    gs.cuda(text).k[grid, block](out, gs.asarray(numbers(seed, grid * block)))
    return gs.asnumpy(out)


def differences(seeds, folder):
    """[(seed, what is wrong)] of programs that do not give here what the compiler gives."""
    wrong = []
    for seed, right in by_compiler(seeds, folder).items():
        try:
            found = by_gpusim(seed)
        except Exception as error:  # a refusal too: all that the programs use is supported
            wrong.append((seed, f"{type(error).__name__}: {error}"))
            continue
        if not np.array_equal(found, right):
            thread = int(np.argmax(found != right))
            wrong.append(
                (seed, f"thread {thread} of {len(right)} gives {found[thread]}, not {right[thread]}")
            )
    return wrong
