"""Records read as tables."""

from types import SimpleNamespace

import numpy as np
import pytest

from positions.errors import DamagedFileError, InvalidValueError
from positions.experiments import get
from positions.experiments.classification import readings
from positions.experiments.classification.bits import pack

EXPERIMENT = get("classification")


@pytest.fixture
def recorded(config):
    """Make a record by hand: which of the texts, of 3, 3 and 5 words, were right."""

    def make(right=(True, False, True), accuracy=0.5, **changes):
        metrics = dict.fromkeys(readings.SCORES, accuracy)
        series = {"length": [3, 5], "count": [2, 1], "right": [pack(right)]}
        return SimpleNamespace(config=config(**changes).canonical(), metrics=metrics, series=series)

    return make


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "as in the paper"),
        ({"frozen": True}, "frozen"),
        ({"readout": "mean"}, "mean of the words"),
        ({"preparation": "matched"}, "same scale"),
        ({"preparation": "matched", "frozen": True}, "same scale, frozen"),
    ],
)
def test_an_arm_is_named_by_what_it_changes(config, changes, name) -> None:
    assert readings.arm(config(**changes).canonical()) == name


def test_one_row_a_run(recorded) -> None:
    table = readings.runs([recorded(), recorded(frozen=True), recorded(seed=2, accuracy=None)])
    assert list(table.arm) == ["as in the paper", "frozen"]
    assert set(table.accuracy) == {0.5}


def test_two_runs_of_one_kind_are_refused(recorded) -> None:
    with pytest.raises(InvalidValueError, match=r"generated, sinusoidal.*epochs \(2 / 3\)"):
        readings.runs([recorded(), recorded(epochs=3)])


def test_answers_are_a_row_a_text(recorded) -> None:
    table = readings.answers(recorded())
    assert list(table.words) == [3, 3, 5]
    assert list(table.right) == [1, 0, 1]
    with pytest.raises(DamagedFileError, match="there are 3 texts"):
        readings.answers(recorded(right=[True] * 30))


def test_texts_keep_their_names_over_seeds_where_the_test_is_given(recorded) -> None:
    given = [readings.answers(recorded(task="trec", seed=seed)).text for seed in (0, 1)]
    assert list(given[0]) == list(given[1])
    dealt = [set(readings.answers(recorded(task="mr", seed=seed)).text) for seed in (0, 1, 5, 10)]
    assert len(set.union(*dealt)) == 12


def test_pairs_of_tables(recorded) -> None:
    records = [
        recorded(table="zeros"),
        recorded((True, True, False), table="random"),
        recorded(table="zeros", seed=2),
        recorded((True, True, True), table="random", frozen=True),
    ]
    table = readings.pairs(records, "zeros", "random")
    assert list(table.one) == [1, 0, 1] and list(table.other) == [1, 1, 0]
    assert set(table.seed) == {1}
    both = readings.pairs(records, ["zeros", "random"], "random")
    assert list(both.one) == [1, 0.5, 0.5]
    assert len(readings.pairs(records, "zeros", "gpt2")) == 0
    assert len(readings.pairs([], "zeros", "gpt2")) == 0


def test_reads_what_a_run_records(config, book) -> None:
    settings = config()
    outcome = EXPERIMENT.run(settings)
    record = SimpleNamespace(
        config=settings.canonical(), metrics=outcome.metrics, series=outcome.series
    )
    table = readings.answers(record)
    assert table.right.mean() == pytest.approx(readings.runs([record]).accuracy[0])
    assert np.all(np.diff(table.words) >= 0)


def test_sets_come_in_the_books_order() -> None:
    names = ["generated", "mr", "mine", "cr", "sst1"]
    assert readings.published_first(names) == ["mr", "sst1", "cr", "mine", "generated"]
