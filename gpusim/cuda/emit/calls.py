"""Calls: device functions are emitted in place, built-ins become calls of the machine or of a NumPy
function."""

from __future__ import annotations

from ..tree import nodes as t
from ..tree.types import Struct, dtype, is_float, is_integer
from ..typing.builtins import BUILTINS
from .expressions import conversion
from .places import Memory, flat, in_buffer

ATOMICS = {f"atomic{name}": name.lower() for name in "Add Sub Min Max And Or Xor Exch Inc Dec".split()} | {
    "atomicCAS": "cas"
}
SHUFFLES = {
    "__shfl_sync": "idx",
    "__shfl_up_sync": "up",
    "__shfl_down_sync": "down",
    "__shfl_xor_sync": "xor",
}
VOTES = {"__ballot_sync": "ballot", "__any_sync": "any", "__all_sync": "all", "__activemask": "active"}
REDUCTIONS = {f"__reduce_{op}_sync": op for op in ("add", "min", "max", "and", "or", "xor")}
BARRIERS = {
    "__syncthreads": None,
    "__syncthreads_count": "count",
    "__syncthreads_and": "and",
    "__syncthreads_or": "or",
}
NOTHING = ("__threadfence", "__threadfence_block", "__threadfence_system", "__nanosleep")


class Calls:
    """Part of the emitter: calls."""

    def _call(self, node):
        return self._any_call(node, used=True)

    def call_statement(self, node):
        """Emit a call whose result nobody needs."""
        value = self._any_call(node, used=False)
        if value and not value.isidentifier():
            self.line(value)

    def _any_call(self, node, used):
        name = node.target
        if isinstance(name, t.Function):
            return self._inline(node)
        base = name.removesuffix("_block").removesuffix("_system")
        if base in ATOMICS:
            return self._atomic(node, ATOMICS[base], used)
        if name in SHUFFLES:
            return self._shuffle(node)
        if name in VOTES or name in REDUCTIONS:
            return self._vote(node)
        if name in BARRIERS:
            return self._barrier(node)
        if name in NOTHING:
            return "0"
        if name.startswith("wmma::"):
            return self.matrix_call(node)
        special = getattr(self, "_call_" + name.strip("_"), None)
        return special(node) if special else self._function(node)

    # Device functions.

    def _inline(self, node):
        function = node.target
        outer, old = self.frames[-1], self.region
        for parameter, argument in zip(function.parameters, node.arguments):
            self._bind(parameter, argument)
        gone, result = self.fresh("gone"), None
        self.line(f"{gone} = False")
        if function.result.size and str(function.result) != "void":
            result = self.fresh("r")
            self.line(f"{result} = {self.zero(function.result)}")
        self.flush_arithmetic(node)
        frame = type(outer)(function, gone, result)
        frame.home, frame.set = self.region, False
        self.frames.append(frame)
        loops, self.loops = self.loops, []
        self.statement(function.body)
        self.loops = loops
        self.frames.pop()
        self.region = old
        return result or ""

    def _bind(self, parameter, argument):
        if parameter.reference:
            place = self.place(argument)
            self.aliases[parameter] = self._once(place)
            return
        value = self.value(argument)
        self.homes[parameter] = self.region
        self._start(parameter, f"list({value})" if isinstance(parameter.type, Struct) else value)

    def _start(self, symbol, value):
        """Emit the birth of a scalar, pointer or struct variable."""
        name = self.name(symbol)
        if in_buffer(symbol):
            kinds = flat(symbol.type)
            values = f"list({value})" if isinstance(symbol.type, Struct) else f"[{value}]"
            value = f"m.local({self.constant(symbol.name)}, {self.type_constant(kinds[0])}, {len(kinds)}, {values})"
        self.line(f"{name} = {value}")

    # Memory operations.

    def _target(self, argument):
        """The place that the pointer argument of an atomic leads to."""
        if isinstance(argument, t.Address):
            return self.place(argument.operand)
        kind = argument.type.to
        return Memory(self.keep(self.value(argument), "p"), "0", kind.size, 0, kind, self._title(argument))

    def _atomic(self, node, op, used):
        place = self._target(node.arguments[0])
        values = [self.value(a) for a in node.arguments[1:]]
        increment = (
            op == "add"
            and not used
            and isinstance(node.arguments[1], t.Literal)
            and node.arguments[1].value == 1
        )
        site = self.site(
            node,
            "atomic",
            name=place.name,
            dtype=dtype(place.type),
            stride=place.stride,
            displacement=place.displacement,
            increment=increment,
        )
        where = f"{place.pointer}, {place.index}"
        call = f"m.atomic({site}, {self.constant(op)}, {where}, [{', '.join(values)}], {self.mask}, {used})"
        if not used:
            self.line(call)
            return ""
        return self.keep(f"{conversion(place.type)}({call})")

    def _call_ldg(self, node):
        kind = node.type
        place = self._target(node.arguments[0])
        return self.read(
            node, Memory(place.pointer, place.index, place.stride, place.displacement, kind, place.name)
        )

    # Warps.

    def _shuffle(self, node):
        mask, value, argument = (self.value(a) for a in node.arguments[:3])
        width = self.value(node.arguments[3]) if len(node.arguments) > 3 else "32"
        site = self.site(node, "shuffle", name=node.target, operations=1)
        call = (
            f"m.shuffle({site}, {self.constant(SHUFFLES[node.target])}, {value}, {argument}, {width}, {self.mask}, "
            f"{self.type_constant(node.type)}, {mask}, {self.frames[0].gone})"
        )
        return self.keep(call)

    def _vote(self, node):
        site = self.site(node, "shuffle", name=node.target, operations=1)
        arguments = [self.value(a) for a in node.arguments]
        if node.target in REDUCTIONS:
            op = self.constant(REDUCTIONS[node.target])
            return self.keep(
                f"{conversion(node.type)}(m.reduce({site}, {op}, {arguments[1]}, {self.mask}, "
                f"{self.type_constant(node.type)}, {arguments[0]}, {self.frames[0].gone}))"
            )
        kind = self.constant(VOTES[node.target])
        predicate = arguments[1] if len(arguments) > 1 else "True"
        members = arguments[0] if arguments else "None"
        answer = f"m.vote({site}, {kind}, {predicate}, {self.mask}, {members}, {self.frames[0].gone})"
        return self.keep(f"{conversion(node.type)}({answer})")

    def _call_syncwarp(self, node):
        members = self.value(node.arguments[0]) if node.arguments else "0xffffffff"
        self.line(f"m.sync_warp({self.site(node, 'sync')}, {self.mask}, {members}, {self.frames[0].gone})")
        return ""

    def _barrier(self, node):
        site = self.site(node, "barrier", name=node.target)
        predicate = self.keep(self.value(node.arguments[0])) if node.arguments else None
        self.line(f"yield m.barrier({site}, {self.mask}, {self.frames[0].gone})")
        if predicate is None:
            return ""
        return self.keep(
            f"i32(m.block_vote({self.constant(BARRIERS[node.target])}, {predicate}, {self.mask}))"
        )

    # Everything else.

    def _call_printf(self, node):
        values = ", ".join(self.value(a) for a in node.arguments[1:])
        self.line(
            f"m.print({self.site(node, 'call')}, {self.constant(node.arguments[0].value)}, [{values}], {self.mask})"
        )
        return ""

    def _call_assert(self, node):
        self.line(f"m.claim({self.site(node, 'call')}, {self.value(node.arguments[0])}, {self.mask})")
        return ""

    def _call_clock64(self, node):
        return f"m.clock({self.mask})"

    _call_clock = _call_clock64

    def _call_builtin_assume(self, node):
        return "0"

    _call_assume = _call_brkpt = _call_builtin_assume

    def _call_trap(self, node):
        self.line(f"m.claim({self.site(node, 'call')}, False, {self.mask})")
        return ""

    def _function(self, node):
        arguments = [self.value(a) for a in node.arguments]
        if is_float(node.type) or any(is_float(a.type) for a in node.arguments):
            self._count(node, flop=True)
        else:
            self._count(node, flop=False)
        # Functions that also write through a pointer (sincosf, modff) give the values to write.
        pointers = [a for a in node.arguments if hasattr(a.type, "to")]
        if pointers:
            return self._writing(node, pointers)
        call = f"{self._operation(node, node.arguments)}({', '.join(arguments)})"
        if isinstance(node.type, Struct):
            return call
        return f"{conversion(node.type)}({call})" if is_float(node.type) or is_integer(node.type) else call

    def _operation(self, node, arguments):
        """The Python name of a mathematical operation for arguments of these types."""
        operation = BUILTINS[node.target].function
        kinds = tuple(dtype(a.type) for a in arguments)
        name = "_".join(["F", operation, *(f"{k.kind}{k.itemsize}" for k in kinds)])
        self.functions[name] = operation, kinds
        return name

    def _writing(self, node, pointers):
        inputs = [self.value(a) for a in node.arguments if a not in pointers]
        results = self.fresh("t")
        self.line(
            f"{results} = {self._operation(node, [a for a in node.arguments if a not in pointers])}({', '.join(inputs)})"
        )
        for i, pointer in enumerate(pointers):
            self.write(node, self._target(pointer), f"{results}[{i}]")
        return f"{results}[{len(pointers)}]" if str(node.type) != "void" else ""
