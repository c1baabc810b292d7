"""Every figure of the gallery: its texts keep apart and on the canvas, its colours are the palette's, and it
says what it shows. Texts are measured in DejaVu Sans, the widest font that a reader may see."""

import functools
import itertools
import re

import numpy as np
import pytest
from gallery import FIGURES, plot

from gpusim.show.plot import svg


def text_boxes(ax):
    """(text, x0, y0, x1, y1) in points of each text; the height is that of digits and capitals."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = ax.figure
    FigureCanvasAgg(figure)
    figure.set_dpi(720)  # fine enough that hinting does not round the widths of letters
    renderer = figure.canvas.get_renderer()
    for text in figure.texts + [text for one in figure.axes for text in one.texts]:
        if text.get_text() and not text.get_rotation():
            text.set_bbox(None)
            box, size = text.get_window_extent(renderer), text.get_fontsize()
            base = (figure.bbox.height - text.get_transform().transform(text.get_position())[1]) / 10
            yield (
                text.get_text(),
                box.x0 / 10 + 0.3,
                base - 0.74 * size,
                box.x1 / 10 - 0.3,
                base + 0.02 * size,
            )


@pytest.fixture(params=FIGURES, scope="module")
def figure(request):
    return FIGURES[request.param]()


def test_no_two_texts_overlap(figure):
    for (a, *first), (b, *second) in itertools.combinations(list(text_boxes(figure)), 2):
        apart = (
            first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]
        )
        assert apart, f"{a!r} {np.round(first)} and {b!r} {np.round(second)} overlap"


def test_no_text_leaves_the_canvas(figure):
    width, height = 72 * figure.figure.get_size_inches()
    for text, x0, y0, x1, y1 in text_boxes(figure):
        assert x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height, f"{text!r} at {x0, y0, x1, y1}"


def test_every_colour_is_one_of_the_palette(figure):
    colours = {colour.upper() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", svg.of(figure))}
    assert colours and colours <= set(plot.LIGHT.values())


def test_it_says_what_it_shows_in_full_sentences(figure):
    alt = plot.alt_text(figure.figure)
    assert alt[0].isupper() and alt.endswith(".") and ".." not in alt and len(alt.split()) >= 6
    assert figure.headline[1:] in alt and re.search(r"\d", alt + "0" * (figure.headline == "not possible"))


def test_the_name_of_a_flat_roof_does_not_stand_on_another():
    flats = {"peak": 66.9e12, "cuBLAS": 50.9e12}
    ax = plot.roofline({"a": (31, 34e12)}, 4.8e12, flats, xlim=(0.1, 1000), ylim=(1e12, 1e14))
    names = {text.get_text().split()[0]: text for text in ax.texts}
    peak, cublas = names["peak"], names["cuBLAS"]
    assert cublas.get_position()[0] < peak.get_position()[0] - 100  # before its roof, not above it
    assert cublas.get_position()[1] > peak.get_position()[1] + 10


def test_the_gallery_holds_every_figure_of_the_package(monkeypatch):
    others = {"DARK", "LIGHT", "alt_text", "canvas", "headline", "panels", "reduction_rounds"}
    drawn = set()
    for name in set(plot.__all__) - others:
        seen = functools.partial(lambda name, *_, **__: drawn.add(name), name)
        monkeypatch.setattr(plot, name, seen)
    for draw in FIGURES.values():
        draw()
    undrawn = set(plot.__all__) - others - drawn
    assert not undrawn, f"draw these in tests/helpers/gallery.py: {sorted(undrawn)}"
