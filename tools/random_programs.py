"""Random programs against a C++ compiler: `python tools/random_programs.py 20000` runs that many, from a first seed
that it prints (or the one given behind the number), and writes down each program that differs.

`python tools/random_programs.py --show SEED` prints one program.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("", "tests/helpers")]
from programs import differences, program  # noqa: E402

TOGETHER = 50  # programs in one compilation


def batch(first):
    with tempfile.TemporaryDirectory() as folder:
        return differences(range(first, first + TOGETHER), Path(folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("first", type=int, nargs="?", default=random.randrange(10**9))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, metavar="SEED")
    given = parser.parse_args()
    if given.show is not None:
        print(program(given.show)[0])
        return 0
    print(f"{given.count} programs from seed {given.first} on", flush=True)
    start, done, wrong = time.time(), 0, 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for found in pool.map(batch, range(given.first, given.first + given.count, TOGETHER)):
            done, wrong = done + TOGETHER, wrong + len(found)
            for seed, what in found:
                print(f"program {seed}: {what}", flush=True)
            if done % 1000 == 0:
                print(f"{done} done, {wrong} differ, {time.time() - start:.0f} s", flush=True)
    print(f"{done} programs, {wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
