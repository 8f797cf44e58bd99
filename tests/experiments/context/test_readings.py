"""Records as tidy tables: one row a run and context."""

import math
from types import SimpleNamespace

import pytest

from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.context import readings


def recorded(encoding="rotary", options="fraction=0.25", seed=0, losses=(3.0, 2.0, 4.0), **changes):
    config = {"corpus": "c", "encoding": encoding, "encoding_options": options, "seed": seed}
    series = {
        "context": [4, 8, 16],
        "loss": list(losses),
        "perplexity": [None if each is None else math.exp(each) for each in losses],
        "standard_error": [0.1, 0.1, None],
    }
    return SimpleNamespace(config={**config, "context": 8, **changes}, series=series)


def test_one_row_a_context_with_what_it_is_beside_the_training_context() -> None:
    table = readings.curves([recorded()])
    assert list(table.columns) == [*readings.IDENTITY, *readings.CURVE]
    assert set(table["variant"]) == {"rotary"}
    assert list(table["times"]) == [0.5, 1, 2]
    assert list(table["trained"]) == [True, True, False]
    assert list(table["rise"]) == [1, 0, 2]
    ratio = table["perplexity"].iloc[2] / table["perplexity"].iloc[1]
    assert math.log(ratio) == pytest.approx(table["rise"].iloc[2])


def test_what_was_not_finite_is_nan_and_the_rest_stays() -> None:
    table = readings.curves([recorded(losses=(3.0, 2.0, None))])
    assert table["rise"].isna().tolist() == [False, False, True]


def test_a_run_that_diverged_has_no_rows() -> None:
    diverged = recorded(seed=2)
    diverged.series = {"step": [1], "training_loss": [2.0]}
    assert set(readings.curves([recorded(), diverged])["seed"]) == {0}
    assert list(readings.curves([]).columns) == [*readings.IDENTITY, *readings.CURVE]


def test_two_runs_of_one_kind_are_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"c, rotary, 0.*steps \(2 / 3\)"):
        readings.curves([recorded(steps=2), recorded(steps=3)])


def test_the_nearest_context_is_taken_if_it_is_near() -> None:
    table = readings.curves([recorded(), recorded("nope", "", context=16)])
    found = readings.nearest(table, 2.02)
    assert list(found["variant"]) == ["rotary"]
    assert list(found["context"]) == [16]
    assert list(readings.nearest(table, 1)["context"]) == [8, 16]
    assert len(readings.nearest(table.iloc[:0], 1)) == 0


def test_reads_what_a_run_records(config, book) -> None:
    run = config()
    outcome = get("context").run(run)
    record = SimpleNamespace(config=run.canonical(), series=outcome.series)
    table = readings.curves([record])
    assert list(table["context"]) == [4, 8, 12, 24]
    own = table[table["times"] == 1].iloc[0]
    assert own["loss"] == outcome.metrics["loss"]
    assert own["perplexity"] == pytest.approx(outcome.metrics["perplexity"])
