"""The cache of drawn frames: equal code and data meet again, anything else is drawn anew."""

import numpy as np
import pytest

from gpusim.show.pages import frames
from gpusim.show.pages.player import packed


def figure_of(data, scale=1):
    """A figure function as a cell defines it: in the module __main__."""

    def figure(lane):
        return float(data[lane]) * scale

    figure.__module__ = "__main__"
    return figure


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GPUSIM_FRAMES", str(tmp_path))
    monkeypatch.setenv("GPUSIM_DIGEST", "this state of gpusim")
    return tmp_path


def test_the_same_code_and_data_have_one_fingerprint():
    assert frames.fingerprint(figure_of(np.arange(4))) == frames.fingerprint(figure_of(np.arange(4)))


@pytest.mark.parametrize(
    "other", [figure_of(np.arange(5)), figure_of(np.arange(4.0)), figure_of(np.arange(4), 2)]
)
def test_other_data_have_another_fingerprint(other):
    assert frames.fingerprint(figure_of(np.arange(4))) != frames.fingerprint(other)


def test_a_global_that_the_function_names_counts(monkeypatch):
    cell = {"__name__": "__main__", "factor": 2, "unrelated": 1}
    exec("def figure(n):\n    return helper(n)\ndef helper(n):\n    return factor * n", cell)
    before = frames.fingerprint(cell["figure"])
    cell["unrelated"] = 5
    assert frames.fingerprint(cell["figure"]) == before
    cell["factor"] = 3
    assert frames.fingerprint(cell["figure"]) != before


def test_another_state_of_gpusim_has_another_fingerprint(folder, monkeypatch):
    before = frames.fingerprint(1)
    monkeypatch.setenv("GPUSIM_DIGEST", "another")
    assert frames.fingerprint(1) != before


def test_a_frame_is_made_once(folder):
    made = []
    for _ in range(2):
        assert frames.kept("a thing", lambda: made.append(1) or [1, "é"]) == [1, "é"]
    assert made == [1]


def test_what_cannot_be_read_off_is_made_each_time(folder):
    made = []
    for _ in range(2):
        frames.kept(iter([1]), lambda: made.append(1))
    assert made == [1, 1]
    assert list(folder.iterdir()) == []


def test_nothing_is_kept_outside_a_build(monkeypatch, tmp_path):
    monkeypatch.delenv("GPUSIM_DIGEST", raising=False)
    monkeypatch.setenv("GPUSIM_FRAMES", str(tmp_path))
    frames.kept("a thing", lambda: 1)
    assert list(tmp_path.iterdir()) == []


def unpacked(pieces, listed):
    """What player.js does."""
    for line in listed:
        runs = [list(map(int, run.split("-"))) for run in line.split()]
        yield "".join(pieces[n] for run in runs for n in range(run[0], run[-1] + 1))


def test_packed_pictures_come_back_whole():
    pictures = [f'<svg><g x="{n % 3}">{n}</g><path d="M{n // 2} 0"/></svg>' for n in range(12)]
    assert list(unpacked(*packed(pictures))) == pictures
