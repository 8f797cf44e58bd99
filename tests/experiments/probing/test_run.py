import numpy as np
import pytest

from positions.experiments import get
from positions.experiments.base import Outcome
from positions.experiments.probing import MEASURES, ProbingConfig, run
from positions.experiments.probing.run import rounded, significant
from positions.runs import Store, frame, run_missing

ROWS = 176


def outcome(table: str, measure: str, seeds: int = 2, positions: int = ROWS) -> Outcome:
    return run(ProbingConfig(table=table, measure=measure, seeds=seeds, positions=positions))


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_can_be_recorded(measure: str) -> None:
    slow = measure in ("order-pairs", "order-features", "distance-forms", "selectivity")
    found = outcome("gaussian", measure, positions=60 if slow else ROWS)
    assert None not in found.metrics.values()
    for name in MEASURES[measure].by_seed:
        values = found.series[f"{name}_by_seed"]
        assert len(values) == 2
        assert np.mean(values) == pytest.approx(found.metrics[name], rel=1e-4, abs=1e-9)
    for name, value in found.metrics.items():
        if f"{name}_low" in found.metrics:
            assert found.metrics[f"{name}_low"] <= value <= found.metrics[f"{name}_high"]
    assert list(found.data) == ["table gaussian"]


def test_runs_repeat() -> None:
    for measure in ("index", "order-splits", "identification"):
        first, second = (outcome("gaussian", measure, positions=80) for _ in range(2))
        assert first == second


def test_one_seed_has_no_interval() -> None:
    found = outcome("sinusoidal", "index-splits", seeds=1)
    assert not [name for name in found.metrics if name.endswith(("_low", "_high"))]
    assert len(found.series["predicted_in_blocks"]) == ROWS


def test_a_rotated_table_is_read_the_same_seed_by_seed(data_folder: object) -> None:
    plain, turned = (outcome(table, "index", 4) for table in ("gpt2", "rotated:gpt2"))
    assert plain.series["mae_by_seed"] == turned.series["mae_by_seed"]


def test_a_shuffled_table_is_no_better_than_a_guess(data_folder: object) -> None:
    plain, mixed = (outcome(table, "index", 4) for table in ("gpt2", "shuffled:gpt2"))
    assert plain.metrics["mae"] < 3
    assert mixed.metrics["mae"] > mixed.metrics["guess"]


def test_errors_by_distance_add_up() -> None:
    found = outcome("gaussian", "order", 3)
    errors = found.series["error_by_distance"]
    counts = np.array(found.series["error_by_distance_count"])
    assert len(errors) == len(counts) == len(found.series["distance"])
    assert counts.sum() == 3 * 512
    known = [(e, n) for e, n in zip(errors, counts, strict=True) if n]
    total = sum(e * n for e, n in known) / counts.sum()
    assert total == pytest.approx(found.metrics["error"], abs=0.3)


def test_selectivity_is_control_minus_real() -> None:
    metrics = outcome("gaussian", "selectivity", positions=60).metrics
    for task in ("index", "order", "order_disjoint"):
        gap = metrics[f"{task}_control"] - metrics[f"{task}_real"]
        assert metrics[f"{task}_selectivity"] == pytest.approx(gap, abs=1e-3)


def test_stretches_of_a_table_are_probed_alone() -> None:
    found = run(ProbingConfig(table="noisy-after-128:sinusoidal", measure="index-regions", seeds=3))
    assert found.metrics["mae_0_127"] < 2 < found.metrics["mae_from_128"]
    assert len(found.series["mae_by_band"]) == 4


def test_noise_after_128_alone_makes_a_table_that_reads_like_bert(data_folder: object) -> None:
    noisy, bert = (
        run(ProbingConfig(table=table, measure="index", seeds=3))
        for table in ("noisy-after-128:sinusoidal", "bert-base-uncased-finetuned-a")
    )
    assert noisy.metrics["mae"] == pytest.approx(bert.metrics["mae"], rel=0.25)
    assert noisy.metrics["mae_first_128"] < noisy.metrics["mae_rest"]


def test_numbers_are_rounded_to_digits_that_count() -> None:
    assert rounded([123.456789, 0.000123456]) == [123.5, 0.0001235]
    assert rounded(np.arange(3)) == [0, 1, 2]
    assert rounded(["0", "1-4"]) == ["0", "1-4"]
    assert significant(float("inf"), 3) is None


def test_a_sweep_records_and_skips_what_is_not_at_hand(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.delenv("POSITIONS_DATA", raising=False)
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path))
    experiment = get("probing")
    configs = [
        ProbingConfig(table=table, measure="index", positions=60, seeds=2)
        for table in ("sinusoidal", "gpt2")
    ]
    report = run_missing(experiment, configs, store, "smoke", jobs=0, progress=False)
    assert len(report.not_at_hand) == 1
    records = store.load(experiment, "smoke")
    assert frame(records).mae.tolist() == [0.0]
    again = run_missing(experiment, configs, store, "smoke", jobs=0, progress=False)
    assert again.already == 1
