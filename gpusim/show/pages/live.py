"""An explorer in a notebook with a kernel: ipywidgets controls, and a picture that is replaced in place.

The picture is the value of an HTML widget, not the output of a cell, so a move never adds a plot, in any
front end. Written for what ipywidgets 7.7 and 8 share.
"""

from __future__ import annotations

import asyncio
import time

from ..page import escape, style
from .player import figcaption, readout

BACKLOG = 0.005  # s: an event this soon after the last picture had been waiting for it
PAUSE = 0.02  # s: then wait this long for the rest of the queue and draw the last position only


class LastWins:
    """Calls `draw` at each event, but once for events that queued up while it was drawing.

    A front end may send many positions while one picture is drawn. With no event loop each draws at once.
    """

    def __init__(self, draw, clock=time.monotonic):
        self.draw, self.clock = draw, clock
        self.waiting, self.ended = False, -1.0

    def __call__(self, _change=None):
        if self.waiting:
            return
        loop = _running_loop()
        if loop is None or self.clock() - self.ended > BACKLOG:
            return self.now()
        self.waiting = True
        loop.call_later(PAUSE, self.now)

    def now(self):
        self.waiting = False
        self.draw()
        self.ended = self.clock()


def _running_loop():
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def control(axis, at: int):
    """The ipywidgets control of one axis: buttons for a few named choices, else a slider over the list."""
    import ipywidgets

    options = list(zip(axis.labels, range(len(axis.labels)), strict=True))
    if axis.named:
        return ipywidgets.ToggleButtons(
            options=options,
            value=at,
            description=axis.name,
            style={"button_width": "auto", "description_width": "initial"},
        )
    return ipywidgets.SelectionSlider(
        options=options,
        value=at,
        description=axis.name,
        continuous_update=True,
        style={"description_width": "initial"},
    )


def widget(explorer):
    """The explorer as one widget: the controls, then the picture with its counts, then the caption."""
    import ipywidgets

    controls = [control(axis, at) for axis, at in zip(explorer.axes, explorer.start, strict=True)]
    picture = ipywidgets.HTML()

    def draw():
        picture.value = live_html(explorer, tuple(control.value for control in controls))

    redraw = LastWins(draw)
    for each in controls:
        each.observe(redraw, "value")
    draw()
    row = ipywidgets.HBox(controls, layout={"flex_flow": "row wrap"})
    below = ipywidgets.HTML(style() + figcaption(explorer.caption))
    return ipywidgets.VBox([row, picture, below])


def live_html(explorer, at) -> str:
    """The picture and the counts at one setting; a figure function's mistake as a message in their place."""
    try:
        frame = explorer.frame(at)
    except Exception as mistake:  # shown where the reader looks: a callback's traceback would go to a log
        return f'<pre role="alert">{escape(f"{type(mistake).__name__}: {mistake}")}</pre>'
    plot = f'<div class="gs-plot">{frame.picture}</div>'
    return f'<div class="gs-live">{plot}{readout(frame.counts, frame.counts)}</div>'


def widget_view(explorer) -> dict:
    """The part of a display bundle that shows the widget, as ipywidgets 7 and 8 both write it."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget(explorer).model_id}
    return {"application/vnd.jupyter.widget-view+json": view}
