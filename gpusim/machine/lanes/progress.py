"""Progress: which loops do not end, told soon and by counts alone.

Of some loops there is proof: what decides whether they go on comes back to exactly what it was.  Now and then the
machine notes those variables, and the memory if it matters, and looks whether they come back in one of the next
rounds.  A loop that counts towards a bound ends.  Of any other there is only suspicion: it has cost a lot since a
thread left it last.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from weakref import ref

import numpy as np

from ...errors import StepLimit, indexed
from ..memory.buffers import LocalBuffer, Pointer
from ..values.arithmetic import Unknown
from ..values.conditions import Condition, Logic
from ..values.pattern import Pattern
from ..values.value import by_lane
from .waiting import not_started

FIRST = 256  # steps before the first look
ROUNDS = 48  # rounds that are compared with one note
MOST_BYTES = 1 << 26  # memory beyond this is not copied: then a loop that depends on it is only suspected
STEPS = 1 << 22  # steps of all loops, of lanes that run together
MOST_WORK = 1 << 22  # about microseconds that a loop may cost without a thread leaving it
SECONDS = 10  # of this computer that it must cost, too
MOST_SECONDS = 20  # of all loops of lanes that run together, those that count included
FEWEST = 64  # rounds before a loop is suspected, whatever they cost
BETWEEN = 32  # rounds from one weighing to the next


@dataclass
class Turn:
    """A loop that is not known to end: its rounds, and rounds, work, seconds and lanes when a thread left it last."""

    rounds: int
    last: int
    work: int
    seconds: float
    mask: object = None


class Progress:
    """Watches the loops of one machine, whose `loop` calls `step` each time round.

    steps : that are left; work : what the machine has done so far, in about microseconds
    spinning : (site, mask) of the latest step
    """

    def __init__(self, steps):
        """steps : that many are allowed, or None: as many as usual, and loops may be suspected"""
        self.patient, self.steps, self.allowed = steps is not None, steps or STEPS, steps or STEPS
        self.work, self.spinning, self._turns, self._run = 0, None, {}, None
        self._look_at, self._spacing, self._note, self._until = self.steps - FIRST, FIRST, None, 0
        self._begun = process_time()
        self._rounds = 0  # that are still compared with the note
        self._again = set()  # loops that began anew while they were noted: others are noted first

    def follow(self, run):
        """`run` is what drives the machine, a generator whose variables tell whether a loop comes back."""
        self._run = ref(run)

    def variables(self):
        """What the kernel's variables hold now; None where nobody knows, as of a kernel in Python."""
        run = self._run and self._run()
        return run.gi_frame.f_locals if run is not None else None

    def begin(self, site):
        """A loop begins that is not sure to end."""
        self._turns[site] = Turn(0, 0, self.work, process_time())
        if self._note is not None and self._note[0] is site:
            self._note = None
            self._again.add(site)

    def step(self, m, site, mask):
        """One more time round the loop at `site`, with the lanes of `mask`."""
        self.steps -= 1
        if self.steps < 0:
            self._suspect(site, f"the loop still runs after {self.allowed:,} steps")
        if not (self.steps & 1023 or self.patient or m.turns) and process_time() - self._begun > MOST_SECONDS:
            done = self.allowed - self.steps
            self._suspect(site, f"the loop still runs after {done:,} steps, which took {MOST_SECONDS} s")
        self.spinning = site, mask
        if not site.counts:
            lanes = m.space.block_count * m.space.thread_count
            self.work += 4 + site.weight * (1 if lanes == 1 else 16 + lanes // 700)
            turn = self._turns[site]
            turn.rounds += 1
            if turn.rounds == FIRST and site.watched == {} and not site.memory:
                _refuse_to_wait(m, site, mask)
            if turn.rounds % BETWEEN == 0 and not self.patient:
                self._weigh(m, site, mask, turn)
        if self.steps <= self._look_at:
            self._look(m, site, mask)

    def spend(self, lanes):
        """An access of that many lanes."""
        self.work += (56 if lanes <= 1 else 200) + lanes // 5

    def _weigh(self, m, site, mask, turn):
        """Suspect a loop that has cost too much since a thread left it last."""
        if turn.mask is None or not same(turn.mask, mask):
            turn.last, turn.work, turn.seconds, turn.mask = turn.rounds, self.work, process_time(), mask
        elif self.work - turn.work > MOST_WORK and turn.rounds - turn.last > FEWEST:
            if process_time() - turn.seconds > SECONDS:
                rounds = turn.rounds - turn.last
                self._suspect(site, f"{rounds:,} times round this loop, no thread has left it")

    def _suspect(self, site, message):
        doubt = "" if site.counts else ", and nothing shows that it ends"
        ask = "" if site.counts else "does the loop change what its condition tests? "
        raise StepLimit(
            message + doubt,
            line=site.line,
            column=site.column,
            hint=f"{ask}If it does end, allow more steps: step_limit={10 * self.allowed} in the launch",
            terminal=f"{ask}If it does end, allow more steps: --step-limit {10 * self.allowed}; or try fewer: "
            "a smaller grid, smaller arrays",
        )

    def _look(self, m, site, mask):
        """Note what decides whether the loop goes on, or see whether it is what was noted."""
        variables = self.variables()
        if variables is None:
            self._look_at = -1
        elif self._note is not None and self._note[0] is site:
            self._compare(m, site, mask, variables)
        elif self._note is not None:
            if self.steps < self._until:
                self._wait_longer()
        elif site.surely or site in self._again or (m.turns and site.memory):
            pass  # it ends; it began anew; whoever gives the turns looks
        elif site.meets and not m.alone:
            pass  # other warps may change what it waits for
        else:
            self._take_note(m, site, mask, variables)

    def _take_note(self, m, site, mask, variables):
        memory = memory_of(m) if site.memory else []
        if memory is None:
            self._look_at = self.steps - self._spacing
            return
        held = held_by(deciding(site, mask, variables))
        self._note = site, held, [piece.copy() for piece in memory], m.launch.ticks
        self._until, self._rounds = self.steps - self._spacing, ROUNDS
        if m.checks is not None:
            m.checks.latest = None

    def _compare(self, m, site, mask, variables):
        _, held, before, ticks = self._note
        if ticks == m.launch.ticks and same_variables(held, deciding(site, mask, variables)):
            memory = memory_of(m) if site.memory else []
            if len(memory) == len(before) and all(
                a.shape == b.shape and (a == b).all() for a, b in zip(memory, before)
            ):
                _refuse_to_wait(m, site, mask)
        self._rounds -= 1
        if self._rounds == 0:
            self._wait_longer()

    def _wait_longer(self):
        """Nothing came back: look again after twice as many steps."""
        self._spacing *= 2
        self._note, self._look_at = None, self.steps - self._spacing
        self._again.clear()


def begin(m, site):
    """A loop begins that is not sure to end."""
    m.progress.begin(site)


def memory_of(m):
    """All bytes that the kernel may change, or None if they are too many to compare."""
    if m.dataless:
        return []
    pieces = [buffer.data for buffer in m.launch.writable] + [b.cells for b in m.shared_buffers.values()]
    return pieces if sum(p.nbytes for p in pieces) <= MOST_BYTES else None


def _refuse_to_wait(m, site, mask):
    checks = m.checks
    block = thread = None
    if mask is not False and not m.dataless:
        block, thread, _ = m.space.first(mask)
    if checks is None or checks.latest is None or not site.memory:
        raise StepLimit(
            f"the loop never ends: {_reason(site)}",
            line=site.line,
            column=site.column,
            block=block,
            thread=thread,
            hint="does the loop change what its condition tests?" if site.watched != {} else None,
            waits=site.memory,
        )
    _, read, buffer, at, where = checks.latest
    block, thread, index = m.space.first(where, by_lane(at))
    count = int(np.broadcast_to(where, m.space.full_shape).sum())
    who = f"thread {indexed(thread)} of block {indexed(block)}" + (
        f" and {count - 1} others wait" if count > 1 else " waits"
    )
    raise StepLimit(
        f"{who} for {buffer.name}[{index}] to change, and no running thread changes it{not_started(m.launch, m.space)}",
        line=read.line,
        column=read.column,
        block=block,
        thread=thread,
        hint="blocks run in any order and may have to wait for each other's places: end the kernel and launch another, "
        "and let no thread wait for one of its own warp",
        waits=True,  # for what a block that has not started may write
    )


def _reason(site):
    """Why a loop never ends, as its text tells."""
    if site.watched is None or (site.memory and not site.watched):
        return "each time round, all variables are what they were before"
    if not site.watched:
        return "its condition is always true, and nothing in it leaves it"
    names = list(dict.fromkeys(site.watched.values()))
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    decides = (
        "which decide whether it goes on, are" if len(names) > 1 else "which decides whether it goes on, is"
    )
    return f"each time round, {listed}, {decides} what {'they were' if len(names) > 1 else 'it was'} before"


def deciding(site, mask, variables):
    """Of the variables of a kernel those that decide whether a loop goes on, and its lanes."""
    if site.watched is None:
        return variables
    return {"": mask} | {name: variables[name] for name in site.watched if name in variables}


def held_by(variables):
    """What variables hold, safe from later changes."""
    return {name: _freeze(value) for name, value in variables.items()}


def _freeze(value):
    if type(value) is list:
        return [_freeze(x) for x in value]
    if type(value) is Pointer and isinstance(value.buffer, LocalBuffer):
        return value.buffer, value.offset, [_freeze(x) for x in value.buffer.values]
    return value


def same_variables(before, now):
    if len(before) != len(now):
        return False
    later = []
    for name, value in before.items():  # numbers first: they tell a counting loop at once
        if name not in now:
            return False
        if type(value) in (int, bool, float):
            if type(now[name]) is not type(value) or now[name] != value:
                return False
        else:
            later.append((value, now[name]))
    return all(same(a, _freeze(b)) for a, b in later)


def same(a, b):
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(a, np.generic):
        return bool(a == b or (a != a and b != b))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if type(a) is Pattern:
        return (a.c, a.strides) == (b.c, b.strides) and a.table is b.table
    if type(a) in (Condition, Logic):
        return a.key() == b.key()
    if type(a) is Pointer:
        return a.buffer == b.buffer and same(a.offset, b.offset)
    if type(a) is Unknown:
        return True
    if hasattr(a, "items") and not isinstance(a, dict):  # pieces of the counting machine
        return same(a.items, b.items)
    return bool(a == b)
