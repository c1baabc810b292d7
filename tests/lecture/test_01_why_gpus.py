"""Why GPUs look the way they do: the lecture's figures, and the numbers in the page's prose."""

import json
from math import ceil

import numpy as np
import pytest
from figures import agrees
from places import ROOT

import gpusim as gs

PAGE = ROOT / "book" / "01-machine-and-model" / "01-why-gpus.ipynb"
N = 1024


def prose():
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    return " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_a_register_of_128_bits_holds_four_numbers():
    agrees("s1-010", 128 // 32)


def test_the_years_of_cuda_and_of_two_cards():
    words = prose().replace("(", " ").replace(")", " ").replace(",", " ").replace(".", " ").split()
    years = [int(word) for word in words if word.isdigit() and 2005 <= int(word) <= 2022 and word != "2008"]
    agrees("s2-065", years)


@pytest.mark.parametrize(
    "name, grid, block, count, instructions",
    [
        ("multiply_serial", 1, 1, N, 4 * N),
        ("multiply", 4, 256, N, 5 * 32),
        ("multiply_vec4", 1, 256, N // 4, 8 * 8),
    ],
)
def test_the_same_product_in_three_styles(name, grid, block, count, instructions):
    a, c = gs.asarray(np.arange(N, dtype=np.float32)), gs.zeros(N, np.float32)
    run = gs.load(name)[grid, block](a, a, c, count)
    assert run.counts.warp_instructions == instructions
    assert (gs.asnumpy(c) == np.arange(N, dtype=np.float32) ** 2).all()


def test_sharing_ten_units_of_control_buys_eight_times_the_multipliers():
    alone, together = 420 // 11, 420 // 42 * 32
    assert (alone, together, round(together / alone)) == (38, 320, 8)
    assert 2000 // 33 * 32 < 2 * (2000 // 2)
    assert [ceil(1000 / width) for width in (1, 4, 32)] == [1000, 250, 32] and 1000 % 32 == 8


def test_one_thread_is_slow_and_a_million_are_as_fast_as_memory():
    serial, one, many, wide = (
        gs.hardware.recorded(name, gs.H200, n=n).seconds
        for name, n in (
            ("multiply_serial", N),
            ("multiply", N),
            ("multiply", 1 << 26),
            ("multiply_vec4", 1 << 26),
        )
    )
    assert 35e-9 < serial / N < 45e-9
    assert one < 2 * gs.hardware.recorded("empty", gs.H200).seconds
    assert round(3 * 4 * 2**26 / 1e6) == 805 and 0.23e-3 < many < 0.25e-3 and 0.7 < wide / many < 0.8
