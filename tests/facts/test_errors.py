"""Errors read like a compiler's and keep their parts."""

import pickle

import pytest

from gpusim.errors import CudaSyntaxError, GpusimError, LaunchError, OutOfBounds


def test_an_error_in_a_text_shows_place_line_caret_thread_and_hint():
    error = OutOfBounds(
        "x[64] is outside x, which has 64 elements",
        file="scale.cu",
        line=7,
        column=5,
        text="    x[i] = 0;",
        length=4,
        block=(1, 0, 0),
        thread=(63, 0, 0),
        hint="guard with if (i < n)",
    )
    assert str(error).split("\n") == [
        "scale.cu:7:5: error: x[64] is outside x, which has 64 elements",
        "    x[i] = 0;",
        "    ^~~~",
        "block (1,0,0) thread (63,0,0)",
        "hint: guard with if (i < n)",
    ]


def test_an_error_without_a_text_is_its_message():
    assert (
        str(LaunchError("2048 threads a block; the H100 allows 1024"))
        == "2048 threads a block; the H100 allows 1024"
    )


def test_the_caret_stays_under_its_character_after_tabs():
    shown = str(CudaSyntaxError("expected ';'", file="a.cu", line=1, column=3, text="\t\tx y")).split("\n")
    assert shown[2].index("^") == shown[1].index("x")


def test_a_line_of_a_million_characters_is_cut_around_the_caret():
    text = "a" * 500_000 + "#" + "b" * 500_000
    head, line, caret = str(
        CudaSyntaxError("stray '#'", file="a.cu", line=1, column=500_001, text=text)
    ).split("\n")
    assert len(line) < 130 and line[caret.index("^")] == "#"


def test_html_is_escaped():
    page = GpusimError("<script>", file="a.cu", line=1, column=1, text="a<b&&c")._repr_html_()
    assert "<script>" not in page and "a&lt;b&amp;&amp;c" in page


def test_an_error_survives_pickling_with_all_its_parts():
    error = OutOfBounds(
        "m", file="f.cu", line=3, column=2, text="xy", thread=(1, 2, 3), notes="expanded from line 1"
    )
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is OutOfBounds and str(again) == str(error) and again.line == 3


def test_a_notebook_shows_the_statement_and_the_message_and_no_frame_of_gpusim():
    import gpusim as gs

    with pytest.raises(GpusimError) as caught:
        gs.cuda("__global__ void k(float *a) { b = 1; }")
    lines = caught.value._render_traceback_()
    assert "gs.cuda(" in lines[0] and lines[0].startswith("---> ")
    assert lines[1:] == f"CudaSyntaxError: {caught.value}".split("\n") and len(lines) <= 5
