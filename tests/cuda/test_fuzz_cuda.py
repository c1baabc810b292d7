"""Any text is read or refused with an error that has a place: never a Python traceback."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from places import DATA
from tree_text import show

from gpusim.cuda.front import parse
from gpusim.cuda.text.tokens import tokenize
from gpusim.errors import CudaSyntaxError, CudaUnsupported

CORPUS = [path.read_text(encoding="utf-8") for path in sorted((DATA / "corpus").glob("*.cu"))]
PIECES = [
    [("\n" if token.before == "\n" else " ") + token.text for token in tokenize(text)[:-1]] for text in CORPUS
]
WORDS = sorted({piece for pieces in PIECES for piece in pieces})
QUICK = settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking whole texts takes minutes
)


def read(text):
    """Read a text; the error it gives must point into it."""
    try:
        unit = parse(text)
    except (CudaSyntaxError, CudaUnsupported) as error:
        lines = text.count(b"\n" if isinstance(text, bytes) else "\n") + 1
        assert str(error) and (error.line is None or 1 <= error.line <= lines and error.column >= 1)
    else:
        assert unit.kernels or unit.templates
        for function in unit.kernels.values():
            show(function.body)


@QUICK
@given(st.binary(max_size=200))
def test_any_bytes(data):
    read(data)


@QUICK
@given(st.text(max_size=200))
def test_any_text_in_a_kernel(text):
    read("__global__ void k(float* a, int n) {\n" + text + "\n}")


@QUICK
@given(st.lists(st.sampled_from(WORDS), max_size=60).map("".join))
def test_words_of_cuda_in_any_order(text):
    read("__global__ void k(float* a, int n) {\n" + text + "\n}")


@QUICK
@given(st.data())
def test_a_kernel_text_with_some_tokens_changed(data):
    pieces = list(data.draw(st.sampled_from(PIECES)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(pieces) - 1))
        length = data.draw(st.integers(0, 12))
        change = data.draw(st.sampled_from(["delete", "insert", "replace", "repeat", "move"]))
        part = pieces[place : place + length]
        if change == "delete":
            del pieces[place : place + length]
        elif change == "insert":
            pieces.insert(place, data.draw(st.sampled_from(WORDS)))
        elif change == "replace":
            pieces[place] = data.draw(st.sampled_from(WORDS))
        elif change == "repeat":
            pieces[place:place] = part
        else:
            del pieces[place : place + length]
            other = data.draw(st.integers(0, len(pieces)))
            pieces[other:other] = part
        pieces = pieces or ["x"]
    read("".join(pieces))


@pytest.mark.slow
@pytest.mark.parametrize("text", CORPUS, ids=range(len(CORPUS)))
def test_a_text_cut_off_anywhere(text):
    step = max(1, len(text) // 40)
    for end in range(0, len(text), step):
        read(text[:end])


@QUICK
@given(
    st.dictionaries(
        st.sampled_from(["N", "T", "M", "x"]),
        st.one_of(
            st.integers(-(2**70), 2**70),
            st.floats(),
            st.booleans(),
            st.text(max_size=20),
            st.sampled_from(["float", "4u", "int*"]),
        ),
    )
)
def test_any_override(defines):
    try:
        parse(
            "#define M 3\nconst int x = 4;\n"
            "template <class T, int N> __global__ void k(T* a) { a[N] = M + x; }",
            defines=defines,
        )
    except (CudaSyntaxError, CudaUnsupported) as error:
        assert str(error)
