"""Times one step of every slider of the book in a live kernel: recount, redraw, markup."""

import statistics
import time

import book_pages


def median(call, times=7):
    """Median wall time of a call in milliseconds, after one that warms caches."""
    call()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - start))
    return statistics.median(taken)


def steps():
    """(what, call) of one step of every explorer of the book, live: recount and redraw."""
    for path in book_pages.listed():
        for explorer in book_pages.fresh(path).explorers:
            yield f"{path.stem}: {explorer.label}", lambda explorer=explorer: explorer.frame(explorer.start)


def main():
    for what, call in steps():
        print(f"{median(call):8.1f} ms  {what}")


if __name__ == "__main__":
    main()
