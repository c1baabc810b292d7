"""Explorers: one object that is sliders in a live notebook and a player of drawn frames in the built page.

A figure function draws one setting; everything else follows from it. In a notebook with a kernel the function
is called again at each move. In the built book it has been called at every setting, and the page holds the
frames.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import sys

from ...errors import LaunchError
from ...inputs import function, values_of
from ..page import dressed, escape, is_static, number
from ..plot import svg
from . import frames
from .player import first_frame, player

MOST_CONTROLS, MOST_SETTINGS = 4, 400
VIEW = re.compile(r'^(<svg [^>]*?viewBox="0 0 )([\d.]+) ([\d.]+)"')
REFUSED = '<p class="gs-refused"'


@dataclasses.dataclass(frozen=True)
class Control:
    """One control: its key in the figure function's call, what the reader sees, and its values in order."""

    key: str
    labels: tuple
    values: tuple

    @property
    def name(self) -> str:
        return self.key.replace("_", " ")

    @property
    def named(self) -> bool:
        """True for two to four choices that are words: buttons then, not a range."""
        words = all(isinstance(value, (str, bool)) for value in self.values) or self.labels != _labels(
            self.values
        )
        return words and len(self.values) <= 4


@dataclasses.dataclass(frozen=True)
class Drawn:
    """What one setting shows: the picture as HTML, and the counts beside it."""

    picture: str
    counts: dict


def explore(figure, start=None, label="", caption="", **axes) -> Explorer:
    """Sliders over the settings of a figure, live in a notebook and in the built page.

    figure : callable; `figure(**setting)` returns `(ax, counts)`: what it drew (matplotlib Axes or Figure,
        HTML text, or a list of these) and a dict: count's name -> int, float or str, the same names each time
    start : dict, the setting shown first; an axis that it leaves out starts at its first value
    label : str, what the explorer is, for a reader who hears the page
    caption : str, the sentence under it: what the two ends of the sliders show
    axes : the values of each control, in order; a dict names them: `walk={"by rows": 0, "by columns": 1}`
    return : Explorer; the last value of a cell shows itself

    A setting that the card does not accept may raise LaunchError: its message then takes the picture's place.

    >>> explore(lambda n: (f"<p>{n}</p>", {"n": n}), n=[1, 2, 4], start={"n": 2})
    Explorer(n=2 of 1, 2, 4)
    """
    function("figure", figure, "figure(**setting) returns (ax, counts)")
    made = tuple(_axis(key, values) for key, values in axes.items())
    settings = len(list(itertools.product(*(axis.values for axis in made))))
    if not made or len(made) > MOST_CONTROLS:
        raise ValueError(f"an explorer has 1 to {MOST_CONTROLS} controls, not {len(made)}")
    if settings > MOST_SETTINGS:
        raise ValueError(
            f"{settings} settings are too many to draw ({MOST_SETTINGS} at most): make another explorer"
        )
    return Explorer(figure, made, _start(made, start or {}), label or figure_name(figure), caption)


def _labels(values) -> tuple:
    return tuple(number(value) if isinstance(value, (bool, float)) else str(value) for value in values)


def _axis(key, values) -> Control:
    if isinstance(values, dict):
        return Control(key, tuple(map(str, values)), tuple(values.values()))
    values = tuple(value.item() if hasattr(value, "item") else value for value in values_of(key, values))
    if len(values) < 2:
        raise ValueError(f"the axis {key!r} needs two values or more, got {list(values)}")
    return Control(key, _labels(values), values)


def _start(axes, start) -> tuple:
    """The index on each axis where the reader begins."""
    unknown = set(start) - {axis.key for axis in axes}
    if unknown:
        raise ValueError(
            f"start names {sorted(unknown)}, which are no axes; the axes are {[axis.key for axis in axes]}"
        )
    for axis in axes:
        if start.get(axis.key, axis.values[0]) not in axis.values:
            raise ValueError(f"start has {axis.key}={start[axis.key]!r}; the axis has {list(axis.values)}")
    return tuple(axis.values.index(start.get(axis.key, axis.values[0])) for axis in axes)


def figure_name(figure) -> str:
    """A figure function's own name in words, for want of a better label."""
    return getattr(figure, "__name__", type(figure).__name__).replace("_", " ").strip("<>")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Explorer:
    """A figure function with its controls; `explore` makes it."""

    figure: object
    axes: tuple
    start: tuple
    label: str
    caption: str

    def setting(self, at) -> dict:
        """The keyword arguments of the figure function at an index on each axis."""
        return {axis.key: axis.values[index] for axis, index in zip(self.axes, at, strict=True)}

    def settings(self) -> list:
        """All indices in the order of the table: the last axis moves fastest."""
        return list(itertools.product(*(range(len(axis.values)) for axis in self.axes)))

    def frame(self, at) -> Drawn:
        """Draw one setting; `at` holds an index on each axis."""
        return self.drawn(self.setting(at))

    def drawn(self, setting) -> Drawn:
        """Draw any setting, also one between the values of the axes."""
        try:
            drawn, counts = self.figure(**setting)
        except LaunchError as refusal:
            return Drawn(f"{REFUSED}>{escape(refusal.message)}</p>", {})
        told = {name: number(value) for name, value in counts.items()}
        return Drawn(_picture(drawn, f"{self.label}: {', '.join(map(' '.join, told.items()))}"), told)

    def all_frames(self) -> list:
        """Every setting drawn, in order; the pictures then have one height, so that the page never jumps."""

        def draw():
            return [dataclasses.astuple(self.frame(at)) for at in self.settings()]

        drawn = [Drawn(*frame) for frame in frames.kept([self.figure, self.axes, self.label], draw)]
        self._check_names(drawn)
        return _same_height(drawn)

    def names(self, drawn) -> list:
        """The names of the counts, in the figure's order."""
        return next((list(frame.counts) for frame in drawn if frame.counts), [])

    def _check_names(self, drawn):
        names = self.names(drawn)
        for at, frame in zip(self.settings(), drawn, strict=True):
            if frame.counts and list(frame.counts) != names:
                raise ValueError(
                    f"the figure counts {list(frame.counts)} at {self.setting(at)} and {names} before it; "
                    "the readout needs the same names in the same order at each setting"
                )

    def table(self, drawn=None) -> list:
        """All settings with their counts, as rows of text under a row of names."""
        drawn = drawn or self.all_frames()
        names = self.names(drawn)
        rows = [
            [*self._labels(at), *(frame.counts.get(name, "–") for name in names)]
            for at, frame in zip(self.settings(), drawn, strict=True)
        ]
        return [[*(axis.name for axis in self.axes), *names], *rows]

    def _labels(self, at) -> list:
        return [axis.labels[index] for axis, index in zip(self.axes, at, strict=True)]

    def shown(self) -> str:
        """The first setting in words."""
        axes = zip(self.axes, self.start, strict=True)
        return ", ".join(f"{axis.name} {axis.labels[at]}" for axis, at in axes)

    def html(self) -> str:
        """The player for a page without a kernel."""
        return player(self)

    def _ipython_display_(self):
        from IPython.display import display

        display(self._bundle(), raw=True)

    def _bundle(self) -> dict:
        """What a front end may choose from: widgets where it has them, else HTML that stands alone."""
        plain = {"text/plain": repr(self)}
        if is_static():
            return {**plain, "text/html": self.html()}
        try:
            from .live import widget_view

            view = widget_view(self)
        except ImportError:  # no ipywidgets: the player needs none
            return {**plain, "text/html": dressed(self.html())}
        if "google.colab" in sys.modules:  # which of the two it would take is not known
            return {**plain, **view}
        return {**plain, "text/html": dressed(first_frame(self), script=False), **view}

    def __repr__(self):
        axes = zip(self.axes, self.start, strict=True)
        shown = (f"{axis.key}={axis.labels[at]} of {', '.join(axis.labels)}" for axis, at in axes)
        return f"Explorer({'; '.join(shown)})"


def _picture(drawn, alt: str) -> str:
    """HTML of what a figure function drew: Axes, a Figure, HTML text, or a list of them, top to bottom."""
    if isinstance(drawn, (list, tuple)):
        return "".join(_picture(part, alt) for part in drawn)
    return drawn if isinstance(drawn, str) else svg.of(drawn, alt)


def _same_height(drawn) -> list:
    """The frames, each single SVG and each refusal as tall as the tallest."""
    boxes = [VIEW.match(frame.picture) for frame in drawn]
    width, height = (max((float(box[side]) for box in boxes if box), default=0) for side in (2, 3))

    def stretched(picture):
        picture = VIEW.sub(rf'\g<1>\g<2> {height:g}"', picture)
        return picture.replace(f"{REFUSED}>", f'{REFUSED} style="aspect-ratio:{width:g}/{height:g}">', 1)

    return [dataclasses.replace(frame, picture=stretched(frame.picture)) for frame in drawn]
