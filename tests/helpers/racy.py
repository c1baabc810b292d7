"""Random kernels that race or do not, with the words over which they do, found by comparing all pairs of accesses.

Lanes wait for each other in whole warps, in halves or not at all; blocks and threads take locks with a fence, with one
for the block alone, or without.
"""

import itertools
import random

PLACES = {
    "t": lambda t, n: t,
    "(t + 1) % n": lambda t, n: (t + 1) % n,
    "t / 2": lambda t, n: t // 2,
    "n - 1 - t": lambda t, n: n - 1 - t,
    "t % 16": lambda t, n: t % 16,
    "5": lambda t, n: 5,
}
WHO = {
    "true": lambda t: True,
    "t < 20": lambda t: t < 20,
    "t % 2 == 0": lambda t: t % 2 == 0,
    "t >= 32": lambda t: t >= 32,
    "t == 3": lambda t: t == 3,
}
SYNCS = {
    "__syncwarp();": lambda t, n: [u for u in range(n) if u // 32 == t // 32],
    "__syncwarp(0xffffu << (t & 16));": lambda t, n: [u for u in range(n) if u // 16 == t // 16],
    "if (t % 32 < 8) __syncwarp(0xff);": lambda t, n: (
        [u for u in range(n) if u // 32 == t // 32 and u % 32 < 8] if t % 32 < 8 else []
    ),
    "": lambda t, n: [],
}
TEXT = """__global__ void k(int *c, int *l, int *out) {
    __shared__ int s[64], u[64];
    int t = threadIdx.x, n = blockDim.x, x = 0;
    s[t] = u[t] = 0; __syncthreads();
    BODY
    out[blockIdx.x * n + t] = x;
}"""
FENCES = ("__threadfence();", "__threadfence_block();", "")


class Model:
    """What each thread knows of the others, as sets of accesses."""

    def __init__(self, blocks, n):
        self.blocks, self.n = blocks, n
        self.knows = [set() for _ in range(blocks * n)]
        self.accesses = []  # (array, word, thread, kind, step, value, what the thread knew)
        self.step = 0

    def access(self, array, word, thread, kind, value=None):
        key = len(self.accesses)
        self.accesses.append((array, word, thread, kind, self.step, value, frozenset(self.knows[thread])))
        self.knows[thread].add(key)

    def meet(self, groups):
        for group in groups:
            together = set().union(*(self.knows[t] for t in group))
            for t in group:
                self.knows[t] = set(together)

    def racing(self):
        """The arrays over which two accesses race."""
        by_word = {}
        for key, a in enumerate(self.accesses):
            by_word.setdefault(a[:2], []).append((key, a))
        found = set()
        for (array, _), those in by_word.items():
            for (key, a), (_, b) in itertools.combinations(those, 2):
                kinds = {a[3], b[3]}
                alike = a[4] == b[4] and a[5] == b[5]
                if a[2] != b[2] and kinds not in ({"load"}, {"atomic"}) and not alike and key not in b[6]:
                    found.add(array)
        return found


def program(seed):
    """(text, grid, block, the arrays that race)"""
    rng = random.Random(seed)
    blocks, n = rng.choice([1, 1, 2]), rng.choice([32, 48, 64])
    model, lines = Model(blocks, n), []
    locks = rng.random() < 0.5
    for number in range(rng.randint(1, 3)):
        if locks and rng.random() < 0.5:
            _barrier(model, lines)  # or it would depend on the order of holders who knows of what is outside
            _locked(rng, model, lines, number)
            _barrier(model, lines)
        else:
            _plain(rng, model, lines, number)
        if rng.random() < 0.6:
            _barrier(model, lines)
    text = TEXT.replace("BODY", "\n    ".join(lines))
    return text, blocks, n, model.racing()


def _barrier(model, lines):
    lines.append("__syncthreads();")
    model.meet([range(b * model.n, (b + 1) * model.n) for b in range(model.blocks)])


def _plain(rng, model, lines, number):
    n = model.n
    array = "su"[number % 2]
    for _ in range(rng.randint(1, 4)):
        who, place, kind = (
            rng.choice(list(WHO)),
            rng.choice(list(PLACES)),
            rng.choice(["store", "same", "load", "atomic"]),
        )
        what = {
            "store": f"{array}[{place}] = t;",
            "same": f"{array}[{place}] = 7;",
            "load": f"x += {array}[{place}];",
            "atomic": f"atomicAdd(&{array}[{place}], 1);",
        }[kind]
        lines.append(f"if ({who}) {what}")
        model.step += 1
        for thread in range(model.blocks * n):
            block, t = divmod(thread, n)
            if WHO[who](t):
                value = {"store": t, "same": 7}.get(kind)
                model.access(
                    array, (block, PLACES[place](t, n)), thread, "store" if kind == "same" else kind, value
                )
        sync = rng.choice(list(SYNCS))
        lines.append(sync)
        model.meet(
            {tuple(b * n + u for u in SYNCS[sync](t, n)) for b in range(model.blocks) for t in range(n)}
            - {()}
        )


def _locked(rng, model, lines, number):
    """Some threads add to a word under a lock; perhaps one of them, or another one, looks without it."""
    n, who, fence = model.n, rng.choice(["t == 3", "t % 2 == 0", "t < 20"]), rng.choice(FENCES)
    word = 4 * number + rng.randint(0, 3)
    lines.append(f"if ({who}) {{ bool done = false; while (!done) if (atomicCAS(&l[{number}], 0, 1) == 0) {{ {fence} "
                 f"c[{word}] += 1; {fence} atomicExch(&l[{number}], 0); done = true; }} }}")  # fmt: skip
    told = {}
    for thread in range(model.blocks * n):
        block, t = divmod(thread, n)
        if not WHO[who](t):
            continue
        model.step += 1
        scope = "all" if fence == FENCES[0] else block
        model.knows[thread] |= told.get("all", set()) | told.get(block, set())
        model.access("c", word, thread, "load")
        model.step += 1
        model.access("c", word, thread, "store")
        if fence:
            told[scope] = told.get(scope, set()) | model.knows[thread]
    if rng.random() < 0.2:
        lines.append(f"if (t == 5) x += c[{word}];")
        model.step += 1
        for block in range(model.blocks):
            model.access("c", word, block * n + 5, "load")
