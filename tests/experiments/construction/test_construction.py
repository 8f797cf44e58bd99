import numpy as np
import pytest

from positions import experiments
from positions.errors import InvalidValueError
from positions.experiments.construction import EXPERIMENT, ConstructionConfig, run
from positions.experiments.construction.presets import Grid
from positions.runs import execute


def config(theorem="absolute", **settings):
    return ConstructionConfig(**{"theorem": theorem, "longest": 12, **settings})


def test_each_length_is_built_and_the_worst_is_kept():
    found = run(config(shortest=3))
    assert found.series["length"] == list(range(3, 13))
    errors = found.series["error_by_length"]
    assert len(errors) == 10
    assert max(errors) == found.metrics["error"] < 1e-12
    alone = run(config(shortest=7, longest=7)).metrics["error"]
    assert alone == errors[4]


def test_outside_its_conditions_it_reads_the_last_position():
    found = run(config()).metrics
    assert (found["without_mark"], found["beyond"]) == (12, 12)
    falling = run(config(facing="falling")).metrics
    assert falling["without_mark"] == 23  # 2N - 1
    assert falling["beyond"] == pytest.approx(12 + 11 / 2)


def test_the_second_theorem_is_measured_beside_alibi():
    found = run(config("relative")).metrics
    assert set(found) == {"error", "attention_gap", "state_gap"}
    assert all(value < 1e-12 for value in found.values())


def test_a_coarser_format_is_seen_and_named():
    exact, coarse = (run(config(precision=name)) for name in ("float64", "bfloat16"))
    assert coarse.metrics["error"] > 1e6 * exact.metrics["error"]
    assert coarse.dtype == "bfloat16"
    assert run(config("relative", precision="float32")).metrics["error"] > 1e-9


def test_norms_and_queries_reach_the_construction():
    errors = {
        (norm, queries): run(config(norm=norm, queries=queries)).metrics["error"]
        for norm in ("rms", "layer")
        for queries in ("content", "all")
    }
    for norm in ("rms", "layer"):
        assert 1e-9 < errors[norm, "content"] < 1e-4 < errors[norm, "all"]


def test_a_run_is_the_same_again_and_another_seed_is_another_run():
    assert run(config(norm="rms")) == run(config(norm="rms"))
    assert run(config(norm="rms")) != run(config(norm="rms", seed=1))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"longest": 0}, "longest = 0: .*greater than or equal to 1"),
        ({"shortest": 13}, "shortest = 13 is above longest = 12"),
        ({"precision": "float8"}, "'float64', 'float32' or 'bfloat16'"),
        ({"theorem": "third"}, "'absolute' or 'relative'"),
        ({"norm": "batch"}, "'none', 'rms' or 'layer'"),
        ({"queries": "some"}, "'content', 'all' or 'zero'"),
        ({"large": 0.0}, "large = 0.0: .*greater than 0"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_valid(settings, said):
    with pytest.raises(InvalidValueError, match=said):
        config(**settings)


def test_presets_hold_each_config_once():
    for preset in ("smoke", "laptop", "gpu", "paper"):
        configs = EXPERIMENT.configs(preset)
        assert len(set(configs)) == len(configs) > 10
    exact = [each for each in Grid().exact() if len(each.lengths) == 512]
    assert {each.theorem for each in exact} == {"absolute", "relative"}


def test_it_is_listed_and_its_records_hold_numbers(tmp_path):
    assert experiments.get("construction") is EXPERIMENT
    record = execute(EXPERIMENT, config(longest=4), "smoke")
    assert np.isfinite(list(record.metrics.values())).all()
    assert record.provenance.dtype == "float64"
