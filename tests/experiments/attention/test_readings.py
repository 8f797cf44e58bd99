"""Records as tidy tables: one row a run, a length and layer, or a distance."""

from types import SimpleNamespace

import pytest

from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.attention import readings
from positions.experiments.attention.config import AGAINST
from positions.experiments.attention.measure import FORMS

EXPERIMENT = get("attention")


def recorded(encoding="t5", seed=0, **changes):
    """Two layers, lengths 1 to 3; divergences are 10 * length + layer."""
    names = [f"{against}_{form}" for against in AGAINST for form in FORMS]
    if encoding == "nope":
        names = [name for name in names if not name.startswith("same_seed")]
    series = {
        name: [[10 * length + layer for layer in (1, 2)] for length in (1, 2, 3)] for name in names
    }
    series |= {
        "length": [1, 2, 3],
        "bin": [0.0, 0.5, 1.0],
        "even": [0.2, 0.3, 0.5],
        "most_attended": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        "mass": [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]],
    }
    config = {"task": "scan", "encoding": encoding, "encoding_options": "", "seed": seed}
    metrics = {"iid": 0.9, "ood": 0.4, "near": 0.5, "far": 0.5, "itself_iid": 0.8}
    return SimpleNamespace(
        config={**config, "longest": 2, **changes}, metrics=metrics, series=series
    )


def diverged():
    found = recorded(seed=9)
    found.series.clear()
    return found


def test_one_row_a_run() -> None:
    table = readings.runs([recorded(), recorded("nope"), diverged()])
    assert list(table.variant) == ["t5", "nope"]
    assert list(table.iid) == [0.9, 0.9]


def test_a_scratchpad_is_named_with_its_task() -> None:
    table = readings.runs([recorded(task="addition", scratchpad="full"), recorded(encoding="nope")])
    assert list(table.task) == ["addition, full scratchpad", "scan"]


def test_one_row_a_comparison_form_layer_and_length() -> None:
    table = readings.divergences([recorded(), recorded("nope")])
    t5 = table[table.variant == "t5"]
    assert len(t5) == len(AGAINST) * len(FORMS) * 2 * 3
    assert (t5.divergence == 10 * t5.length + t5.layer).all()
    assert set(t5[t5.against == "itself"].other_iid) == {0.8}
    assert (t5.trained == (t5.length <= 2)).all()
    assert set(table[table.variant == "nope"].against) == {"other_seed", "itself"}


def test_means_over_layers_and_lengths() -> None:
    table = readings.divergences([recorded()])
    whole = readings.means(table)
    assert set(whole.divergence) == {21.5}
    by_layer = readings.means(table, "layer")
    assert set(by_layer[by_layer.layer == 2].divergence) == {22.0}


def test_one_row_a_layer_and_distance() -> None:
    table = readings.distances([recorded()])
    assert len(table) == 2 * 3
    last = table[table.layer == 2]
    assert list(last.most_attended) == [0, 0, 1]
    assert list(last["mass"]) == [0.1, 0.2, 0.7]
    assert list(last.even) == [0.2, 0.3, 0.5]


def test_no_runs_give_empty_tables_with_their_columns() -> None:
    for read in (readings.runs, readings.divergences, readings.distances):
        assert "variant" in read([]) and len(read([])) == 0


def test_two_runs_of_one_kind_are_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"scan, t5, 0.*longest \(2 / 3\)"):
        readings.runs([recorded(), recorded(longest=3)])


def test_reads_what_a_run_records(config, book) -> None:
    run = config()
    outcome = EXPERIMENT.run(run)
    record = SimpleNamespace(config=run.canonical(), metrics=outcome.metrics, series=outcome.series)
    means = readings.means(readings.divergences([record]))
    for _, row in means.iterrows():
        expected = outcome.metrics[f"{row.against}_{row.form}"]
        assert row.divergence == pytest.approx(expected, rel=1e-4)
    assert len(means) == len(AGAINST) * len(FORMS)
    shares = readings.distances([record])
    assert shares.most_attended.sum() == pytest.approx(run.layers, rel=1e-3)
