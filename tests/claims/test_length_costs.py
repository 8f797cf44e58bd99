"""C8: judged by ratios to NoPE in the same round, never by milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from positions import claims
from positions.claims.length_costs import LENGTH, forward_over_nope
from positions.experiments.base import key
from positions.experiments.efficiency import EXPERIMENT, EfficiencyConfig
from positions.runs import Record
from positions.runs.record import Provenance

TEXTS = {
    "nope": "nope",
    "t5": "t5",
    "alibi": "alibi",
    "rotary": "rotary fraction=0.25",
    "sinusoidal": "sinusoidal amplitude=1.0",
}
AS_PUBLISHED = {"nope": 1.0, **forward_over_nope()}


def measured(
    provenance: Provenance,
    ratios: Mapping[str, float],
    machine: str = "one",
    rounds: int = 11,
    noise: float = 0.02,
    nope_ms: float = 100.0,
    **changes: Any,
) -> Record:
    """Record rounds in which the whole machine, and each turn by itself, is now fast, now slow."""
    rng = np.random.default_rng(0)
    slow = nope_ms * (1 + rng.random(rounds))
    series = {}
    for name, ratio in ratios.items():
        own = 1 + (0 if name == "nope" else noise) * rng.normal(size=rounds)
        series[f"ms {TEXTS[name]}"] = [float(each) for each in slow * ratio * own]
    config = EfficiencyConfig(
        **{
            "phase": "forward",
            "length": LENGTH,
            "encodings": tuple(TEXTS[name] for name in ratios),
            "attention": "written",
            "vocabulary": 8,
            "width": 16,
            "heads": 2,
            "layers": 1,
            "hidden": 8,
            "warmups": 0,
            "rounds": rounds,
            "machine": machine,
            **changes,
        }
    ).canonical()
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config,
        metrics={"load": 0.1},
        series=series,
        status="ok",
        provenance=provenance,
    )


@pytest.fixture
def measure(run):
    """Give a function that makes one record."""
    provenance = run("scan", "nope", 0, 0.5).provenance

    def make(ratios: Mapping[str, float], **settings: Any) -> Record:
        return measured(provenance, ratios, **settings)

    return make


@pytest.fixture
def judge(verdict):
    """Give a function that judges C8 by these records."""
    return lambda *records: verdict("C8", [], efficiency=list(records))


def test_what_is_published_is_reproduced_on_a_machine_of_any_speed(measure, judge) -> None:
    for nope_ms in (1.0, 1e4):
        found = judge(measure(AS_PUBLISHED, nope_ms=nope_ms))
        assert found.status == "reproduced", found.reason
        assert "round" in found.reason


def test_a_slower_t5_by_another_factor_is_the_same_direction(measure, judge) -> None:
    found = judge(measure({**AS_PUBLISHED, "t5": 1.3}))
    assert found.status == "same direction"
    (t5,) = [figure for figure in found.figures if figure.name == "t5"]
    assert t5.published == pytest.approx(1.857, abs=1e-3)
    assert t5.ours == pytest.approx(1.3, abs=0.05)


@pytest.mark.parametrize(
    "ratios",
    [
        {**AS_PUBLISHED, "t5": 1.0},  # the bias costs nothing
        {**AS_PUBLISHED, "t5": 1.04},  # less than counts
        {**AS_PUBLISHED, "rotary": 0.7},  # so NoPE costs time
    ],
)
def test_the_claim_can_fail(measure, judge, ratios) -> None:
    assert judge(measure(ratios)).status == "not reproduced"


def test_few_or_noisy_rounds_decide_nothing(measure, judge) -> None:
    assert judge(measure(AS_PUBLISHED, rounds=3)).status == "undecided"
    assert judge(measure({**AS_PUBLISHED, "t5": 1.15}, noise=0.4)).status == "undecided"


def test_each_machine_must_bear_it_out(measure, judge) -> None:
    good, bad = measure(AS_PUBLISHED), measure({**AS_PUBLISHED, "t5": 1.0}, machine="two")
    assert judge(good, measure(AS_PUBLISHED, machine="two")).status == "reproduced"
    found = judge(good, bad)
    assert found.status == "not reproduced"
    assert "t5 on two" in found.reason
    assert "one, two" in found.reason


@pytest.mark.parametrize(
    "changes", [{"length": 1001}, {"phase": "training"}, {"attention": "fastest"}]
)
def test_other_lengths_phases_and_ways_are_not_judged(measure, judge, changes) -> None:
    found = judge(measure(AS_PUBLISHED, **changes))
    assert found.status == "not tested at this scale"
    assert "positions sweep efficiency --preset gpu" in found.reason
    assert found.ours == ""


def test_without_t5_there_is_nothing_to_judge(measure, judge) -> None:
    assert judge(measure({"nope": 1.0, "alibi": 1.1})).status == "not tested at this scale"


def test_an_encoding_that_was_not_measured_has_no_figure(measure, judge) -> None:
    found = judge(measure({"nope": 1.0, "t5": AS_PUBLISHED["t5"]}))
    assert found.status == "reproduced"
    assert {each.name for each in found.figures if each.ours is None} == {
        "alibi",
        "rotary",
        "sinusoidal",
    }


def test_the_way_this_library_attends_is_told_beside(measure, judge) -> None:
    fast = measure({**AS_PUBLISHED, "t5": 3.0}, noise=0.0, attention="fastest")
    found = judge(measure(AS_PUBLISHED), fast)
    assert found.status == "reproduced"
    assert "T5's bias takes 3.00 times" in found.reason


def test_the_effect_is_told_as_it_is_tested() -> None:
    assert claims.get("length-generalization/C8").effect.startswith("a tenth")
