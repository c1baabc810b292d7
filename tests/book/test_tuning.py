"""The stored tuning run is what the simulator says today, and its times are those of right results."""

import pytest
import tune

ROWS = tune.rows()
SOME = ROWS[5::223]


@pytest.mark.parametrize("row", SOME, ids=lambda row: "-".join(str(row[name]) for name in tune.AXES))
def test_a_row_is_what_a_new_run_gives(row):
    fresh = tune.gs.sweep(tune.tried, **{name: [row[name]] for name in tune.AXES})[0]
    assert (fresh["error"] or "")[:40] == (row["error"] or "")[:40]
    if row["error"] is None:
        assert {name: fresh[name] for name in ("sectors", "wavefronts", "excess", "occupancy")} == {
            name: row[name] for name in ("sectors", "wavefronts", "excess", "occupancy")
        }
        assert fresh["seconds"] == pytest.approx(row["seconds"], rel=0.02)


def test_every_sensible_setting_is_there_once():
    wanted = sum(
        tune.sensible(kernel=kernel, L=L, V=V) for kernel in tune.AXES["kernel"] for L in tune.AXES["L"]
        for V in tune.AXES["V"]
    ) * len(tune.AXES["S"]) * len(tune.AXES["REVERSED"]) * len(tune.AXES["N"])  # fmt: skip
    assert len(ROWS) == wanted == len({tuple(row[name] for name in tune.AXES) for row in ROWS})


def test_every_setting_that_runs_at_the_measured_size_has_its_time():
    timed = [row for row in ROWS if row["measured"]]
    assert timed == [row for row in ROWS if row["N"] == tune.MEASURED_N and row["error"] is None]


def test_times_of_the_tuning_run_are_those_of_the_recorded_launches_where_nothing_spills():
    apart = []
    for row in (row for row in ROWS if row["measured"] and not row["REVERSED"]):
        macros = {name: row[name] for name in ("N", "L", "S", "V")}
        record = tune.gs.hardware.recorded(row["kernel"], tune.gs.H200, **macros)
        if record and not record.local_bytes and not record.params.get("REVERSED"):
            apart.append(abs(row["measured"] / record.seconds - 1))
    assert len(apart) > 10 and 0.01 < max(apart) < 0.02
