"""Times the steps of every slider of the book in a live kernel: recount, redraw, markup.

Each control walks through its values while the others stand at their start.  Every setting is timed at its first
visit, so nothing that a figure keeps from an earlier visit makes it look fast.
"""

import statistics
import sys
import time

import book_pages

MOST_VALUES = 9


def walk(explorer):
    """The settings that one hand visits: the start, then the values of each control from its first to its last."""
    visited = [explorer.start]
    for number, axis in enumerate(explorer.axes):
        every = max(1, -(-len(axis.values) // MOST_VALUES))
        for index in range(0, len(axis.values), every):
            visited.append((*explorer.start[:number], index, *explorer.start[number + 1 :]))
    return list(dict.fromkeys(visited))


def milliseconds(call, *arguments):
    start = time.perf_counter()
    call(*arguments)
    return 1e3 * (time.perf_counter() - start)


def steps(only=""):
    """(page, label, [milliseconds of each step]) of every explorer of the pages whose name contains `only`."""
    for path in book_pages.listed():
        if only in path.stem:
            for explorer in book_pages.fresh(path).explorers:
                first, *rest = walk(explorer)
                explorer.frame(first)  # the reader has this picture before the first step
                yield path.stem, explorer.label, [milliseconds(explorer.frame, at) for at in rest]


def main(only=""):
    print("  median     most  ms of a step of a slider, live")
    for page, label, times in steps(only):
        print(f"{statistics.median(times):8.1f} {max(times):8.1f}  {page}: {label}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
