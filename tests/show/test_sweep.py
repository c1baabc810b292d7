"""gs.sweep: rows of settings; one that fails is a row, one that is interrupted keeps what it has."""

import pytest
from needed import need

import gpusim as gs
from gpusim.show.progress import ProgressLine

TEXT = "#define STRIDE 1\n#define N 64\n__global__ void k(float *x) { x[STRIDE * threadIdx.x + N - N] = 1; }"


def stores(kernel, **setting):
    return gs.count(kernel, 1, 64, gs.spec(64 * 32))


def square(n):
    return {"square": n * n}


def odd_fails(n):
    if n % 2:
        raise ValueError(f"{n} is odd")
    return {"half": n // 2}


def test_a_kernel_is_counted_at_every_setting_of_its_macros():
    swept = gs.sweep(TEXT, stores, STRIDE=[1, 2, 8], N=[1, 2])
    assert [(row["STRIDE"], row["N"]) for row in swept] == [(1, 1), (1, 2), (2, 1), (2, 2), (8, 1), (8, 2)]
    assert [row["global_store_sectors"] for row in swept] == [8, 8, 16, 16, 64, 64]
    assert all(row["seconds"] > 0 and row["error"] is None for row in swept)


def test_a_kernel_of_the_book_is_swept_by_name():
    def launch(kernel, PAD):
        return gs.count(kernel, (4, 4), (32, 32), gs.spec((128, 128)), gs.spec((128, 128)), 128, 128)

    swept = gs.sweep("transpose_tile", launch, PAD=[0, 1])
    assert [row["shared_load_excess"] if "shared_load_excess" in row else 0 for row in swept] == [512 * 31, 0]
    assert swept.best("shared_load_wavefronts")["PAD"] == 1


def test_a_setting_that_fails_is_a_row_with_its_error():
    swept = gs.sweep(odd_fails, n=[1, 2, 3, 4])
    assert [row["error"] for row in swept] == ["ValueError: 1 is odd", None, "ValueError: 3 is odd", None]
    assert [row["half"] for row in swept.good] == [1, 2]
    assert "2 failed" in str(swept) and "3 is odd" in swept._repr_html_()


def test_an_error_of_the_text_is_a_row_too():
    swept = gs.sweep(TEXT, stores, STRIDE=["oops", 1])
    assert swept[0]["error"].startswith("CudaSyntaxError:") and swept[1]["error"] is None


def test_an_interrupted_sweep_keeps_what_it_has_and_goes_on_later():
    calls = []

    def slow(n):
        calls.append(n)
        if n == 3 and len(calls) == 3:
            raise KeyboardInterrupt
        return {"n2": n * n}

    first = gs.sweep(slow, n=[1, 2, 3, 4])
    assert [row["n"] for row in first] == [1, 2] and first.missing == 2 and "2 not reached" in str(first)
    whole = gs.sweep(slow, known=first, n=[1, 2, 3, 4])
    assert [row["n2"] for row in whole] == [1, 4, 9, 16] and whole.missing == 0
    assert calls == [1, 2, 3, 3, 4]


def test_where_says_which_combinations_to_take():
    swept = gs.sweep(lambda a, b: {"sum": a + b}, where=lambda a, b: a < b, a=[1, 2, 3], b=[1, 2, 3])
    assert [(row["a"], row["b"]) for row in swept] == [(1, 2), (1, 3), (2, 3)]


def test_rows_are_sorted_by_a_number_and_the_best_is_first():
    swept = gs.sweep(square, n=[3, 1, 2])
    assert [row["n"] for row in swept.sorted("square")] == [1, 2, 3]
    assert swept.best("square", most=True) == {"n": 3, "square": 9, "error": None}
    assert swept.table(most=2).caption == "3 settings, the first 2 shown"


def test_nothing_good_has_no_best():
    with pytest.raises(gs.GpusimError, match="no setting"):
        gs.sweep(odd_fails, n=[1]).best("half")


def test_text_in_a_sweep_is_escaped():
    assert "<b>" not in gs.sweep(lambda name: {"upper": name}, name=["<b>", "x"])._repr_html_()


def test_macros_need_a_launch():
    with pytest.raises(TypeError, match="launch="):
        gs.sweep(TEXT, STRIDE=[1])


def test_two_processes_give_the_same_rows_as_one():
    need("joblib")
    settings = {"STRIDE": [1, 2, 4, 8], "N": [1, 2]}
    assert gs.sweep(TEXT, stores, jobs=2, **settings).rows == gs.sweep(TEXT, stores, **settings).rows


def on_a_worker(n):
    from distributed import get_worker

    return {"worker": str(get_worker().address)}


def test_a_dask_cluster_takes_the_jobs():
    joblib, distributed = need("joblib"), need("distributed")
    options = dict(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        with joblib.parallel_config(backend="dask"):
            swept = gs.sweep(on_a_worker, jobs=-1, n=list(range(8)))
        workers = set(client.scheduler_info()["workers"])
    assert [row["n"] for row in swept.good] == list(range(8))
    assert {row["worker"] for row in swept} <= workers


def test_the_bar_counts_and_names_failures(capsys):
    shown = []
    bar = ProgressLine(4, wanted=False)
    bar.show = lambda done, words, last: shown.append((done, words, last))
    with bar:
        for failed in (False, True, False, False):
            bar.step(failed)
    assert shown[-1] == (4, "4 of 4, 1 failed", True)
    gs.sweep(square, n=[1, 2])
    assert capsys.readouterr().err == ""  # no terminal: nothing is printed
