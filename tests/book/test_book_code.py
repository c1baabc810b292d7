"""CUDA text in a cell is coloured as CUDA, letter for letter as it stands in the notebook."""

import doctest

import notebooks
import pytest
from needed import need


@pytest.fixture
def book_code():
    need("docutils")
    need("pygments")
    import book_code

    return book_code


def test_the_examples_of_its_functions_are_right(book_code):
    found = doctest.testmod(book_code)
    assert found.attempted and found.failed == 0


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_colouring_changes_no_letter(book_code, path):
    for cell in notebooks.read(path)["cells"]:
        text = notebooks.source(cell)
        made = list(book_code.PythonWithCuda().get_tokens_unprocessed(text))
        assert "".join(word for *_, word in made) == text
        assert all(text.startswith(word, at) for at, _, word in made)
