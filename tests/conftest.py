"""Several processes share the files out; those that take longest come first, so that none is left for the end."""

RANKS = ("live", "browser", "slow")


def pytest_configure(config):
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False  # else the files with most tests come first, however short


def pytest_collection_modifyitems(items):
    marks = {}
    for item in items:
        marks.setdefault(item.path, set()).update(mark.name for mark in item.iter_markers())
    ranks = {path: next((k for k, mark in enumerate(RANKS) if mark in met), 9) for path, met in marks.items()}
    items.sort(key=lambda item: ranks[item.path])
