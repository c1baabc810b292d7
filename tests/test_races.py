"""Races: the plain rule, the sorting that finds them in bulk, and what a launch reports."""
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpusim.machine.racing import NAMES, find_races
from gpusim.rules.races import ATOMIC, RAW, READ, WAR, WAW, WRITE, races

ACCESS = st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from([READ, WRITE, ATOMIC]), st.integers(0, 4), st.integers(0, 1))


def test_atomics_do_not_race_with_atomics_but_with_plain_accesses():
    assert races([0, 1], [0, 0], [ATOMIC, ATOMIC], [0, 1]) == []
    assert races([0, 1], [0, 0], [ATOMIC, READ], [0, 1]) == [(0, 1, RAW)]
    assert races([0, 1], [0, 0], [READ, ATOMIC], [0, 1]) == [(0, 1, WAR)]
    assert races([0, 1], [0, 0], [WRITE, ATOMIC], [0, 1]) == [(0, 1, WAW)]


def test_two_writes_of_one_instruction_race_only_with_different_values():
    assert races([0, 1], [0, 0], [WRITE, WRITE], [0, 0], [5, 5]) == []
    assert races([0, 1], [0, 0], [WRITE, WRITE], [0, 0], [5, 6]) == [(1, 0, WAW)]


@settings(max_examples=300, deadline=None)
@given(st.lists(ACCESS, max_size=14))
def test_sorting_finds_what_the_plain_rule_finds(accesses):
    accesses.sort(key=lambda a: a[3])
    # An instruction reads, writes or is atomic for all its lanes.
    columns = [np.array(c, int) for c in zip(*[(p, w, step % 3, step, v) for p, w, _, step, v in accesses])] or [np.zeros(0, int)] * 5
    party, word, kind, step, value = columns
    plain = {(later, name) for _, later, name in races(party, word, kind, step, value)}
    earlier, later, name = find_races(party, word, kind, step, value)
    assert {(b, NAMES[n]) for b, n in zip(later.tolist(), name.tolist())} == plain
    assert len(later) == len(races(party, word, kind, step, value))
    assert (party[earlier] != party[later]).all() and (word[earlier] == word[later]).all()
