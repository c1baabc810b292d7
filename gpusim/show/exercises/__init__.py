"""Exercises: what the files in book/exercises are written with; `gs.check` and `gs.solution` show them."""

from .exercise import Case, Exercise, Output, load_exercise
from .gates import at_least, at_most

__all__ = ["Case", "Exercise", "Output", "at_least", "at_most", "load_exercise"]
