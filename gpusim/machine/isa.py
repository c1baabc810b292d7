"""The machine's verbs: all that emitted code, and `t` of a Python kernel, ask of a machine.

Two machines answer them: `lanes.machine` executes on data, `count.machine` counts without.  A `mask` is who takes
part, as the machine writes it; `site` is the place of the text; a value is an int, a Pattern, an array of lanes or
Unknown, of one C type.  Emitted code calls nothing with the mask False.
"""

from __future__ import annotations

from typing import Protocol


class Machine(Protocol):
    """What both machines answer."""

    # Who takes part.
    def split(self, site, mask, condition):
        """An `if`: the masks of those for which the condition holds, and of the others."""

    def meet(self, mask, condition):
        """The mask of those for which the condition holds, not counted as a branch: of && and ?:."""

    def without(self, mask, gone):
        """The mask less those that have left."""

    def join(self, a, b):
        """The mask of those in either."""

    # Loops.
    def begin(self, site):
        """A loop begins of which it is not known that it ends."""

    def loop(self, site, mask, condition):
        """The mask of those that go round once more."""

    # Variables.
    def special(self, name):
        """The value of "threadIdx.x" or a relative."""

    def merge(self, mask, new, old, dtype):
        """The value of a variable of `dtype` after an assignment by those of `mask`."""

    def merge_pointer(self, mask, new, old):
        """The same for a pointer."""

    # Memory: all of these give pointers.
    def variable(self, name):
        """To a __constant__ or __device__ variable."""

    def shared(self, name, nbytes):
        """To a __shared__ array; name : (in the text, number)."""

    def dynamic(self, name):
        """To the dynamic shared memory, which `extern __shared__` declares."""

    def local(self, name, dtype, count, values):
        """To an array of each thread's own: of `count` elements, or of these values."""

    # Accesses; index : in units of site.stride.
    def load(self, site, pointer, index, mask):
        """The value that is read, or a list of site.width of them."""

    def store(self, site, pointer, index, value, mask):
        """Write a value, or a list of site.width of them."""

    def atomic(self, site, op, pointer, index, operands, mask, used):
        """Change a word, thread after thread ("add", "cas", ...); the value found, if it is used."""

    # Lanes of a warp; members : the mask that the text passes; gone : those that have left the kernel.
    def shuffle(self, site, kind, value, argument, width, mask, dtype, members, gone):
        """The value of another lane; kind : "idx", "up", "down" or "xor"."""

    def vote(self, site, kind, predicate, mask, members, gone):
        """What a warp votes: kind "ballot", "any", "all" or "active"."""

    def reduce(self, site, op, value, mask, dtype, members, gone):
        """The values of a warp brought together by "add", "min", ..."""

    def sync_warp(self, site, mask, members, gone):
        """__syncwarp; gives nothing."""

    def fence(self, mask, scope):
        """__threadfence (scope "device") or __threadfence_block ("block"); gives nothing."""

    # Threads of a block.
    def barrier(self, site, mask, gone):
        """__syncthreads: the site, for the emitted code to yield."""

    def block_vote(self, kind, predicate, mask):
        """What a barrier answers: kind "count", "and" or "or"."""

    # Matrices of a warp; sites : (of narrow accesses, of wide ones or None).
    def load_matrix(self, sites, use, row_major, pointer, stride, mask):
        """The eight elements that each lane holds; stride : elements from line to line."""

    def store_matrix(self, sites, use, row_major, pointer, stride, values, mask):
        """Store the eight elements that each lane holds."""

    def multiply(self, site, a, b, c, kinds, mask):
        """a b + c, eight elements a lane; kinds : dtypes of c and of the result."""

    def whole_warps(self, site, mask):
        """Refuse a call that only some lanes of a warp reach."""

    # The rest.
    def arith(self, site, mask):
        """Count a statement's arithmetic; gives nothing."""

    def clock(self, mask):
        """What clock64() gives."""

    def print(self, site, text, values, mask):
        """printf; gives nothing."""

    def claim(self, site, condition, mask):
        """assert; gives nothing."""


class ByLanes(Machine, Protocol):
    """What only the machine on data answers: code that is emitted for both asks nothing else of the other."""

    turns: bool  # True where a loop that memory may end yields in each round, so that others go on

    def crowded_out(self, mask):
        """True, at times, where most warps have left a loop."""

    def pack(self, outer, mask, *values):
        """Go on with the warps of `mask` alone: (what `unpack` needs, the mask, *values)."""

    def unpack(self, state, *values):
        """All warps again: the values."""

    def width_of(self, pointer, factor):
        """The length of a row of the array, if an index multiplies by it, else None."""

    def within_row(self, site, width, column, mask):
        """Report a column that is outside [0, width)."""


class InOneStep(Machine, Protocol):
    """What only the counting machine answers: loops that are taken in one step."""

    def axis(self, site, mask, start, op, bound, step, unrolled, accumulators):
        """A loops.Axis for the iterations that are certain, or None."""

    def leave(self, axis):
        """The loop of an axis ends."""

    def blur(self, value):
        """What a variable holds that carries loaded values from round to round."""

    def blur_array(self, pointer):
        """The same for a thread's own array."""


def verbs(protocol):
    """{name: function} of a protocol and those that it extends.

    >>> "load" in verbs(Machine), "axis" in verbs(Machine), "axis" in verbs(InOneStep)
    (True, False, True)
    """
    kinds = [kind for kind in protocol.__mro__ if kind.__module__ == __name__]
    return {
        name: verb for kind in kinds for name, verb in vars(kind).items() if verb.__doc__ and name[0] != "_"
    }
