"""C12, C13 and C17 on made-up runs: what each verdict takes, and what is said beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from made_up import provenance
from positions import claims
from positions.experiments.attention import EXPERIMENT, AttentionConfig
from positions.experiments.attention.config import AGAINST
from positions.experiments.attention.measure import FORMS
from positions.experiments.base import key
from positions.runs import Record

OPTIONS = {
    "nope": ("nope", ""),
    "t5": ("t5", ""),
    "alibi": ("alibi", ""),
    "sinusoidal": ("sinusoidal", "amplitude=1.0"),
    "rotary": ("rotary", "fraction=0.25"),
}
PUBLISHED = {"nope": 0.265, "t5": 0.263, "alibi": 0.490, "sinusoidal": 0.719, "rotary": 0.987}
NEAR = {"nope": 0.556, "t5": 0.536, "alibi": 0.822, "rotary": 0.201, "sinusoidal": 0.187}
FAR = {"nope": 0.225, "t5": 0.193, "alibi": 0.026, "rotary": 0.204, "sinusoidal": 0.127}
SETTINGS = AttentionConfig(
    task="scan",
    encoding="nope",
    seed=0,
    longest=25,
    test_longest=48,
    train=200,
    test=40,
    width=16,
    heads=2,
    layers=2,
    hidden=32,
    dropout=0.0,
    steps=4,
    batch_size=8,
    learning_rate=2e-3,
    evaluate_every=2,
).canonical()


def made_up(variant: str, seed: int, task: str, divergence: float, iid: float, layers) -> Record:
    """Record a run with the same divergence in all comparisons, times `layers` in each layer."""
    encoding, options = OPTIONS[variant]
    config = {**SETTINGS, "task": task, "encoding": encoding, "encoding_options": options}
    config["seed"] = seed
    config["scratchpad"] = "full" if task == "addition" else "none"
    noise = 0.001 * seed
    series = {
        f"{against}_{form}": [[divergence * each + noise for each in layers]] * 2
        for against in AGAINST
        for form in FORMS
        if not (variant == "nope" and against == "same_seed")
    }
    bins = [0.0] * 21
    series |= {
        "length": [25, 26],
        "bin": bins,
        "even": bins,
        "most_attended": [bins] * len(layers),
        "mass": [bins] * len(layers),
    }
    shares = {"near": NEAR[variant] + noise, "far": FAR[variant] + noise}
    return Record(
        key=key("attention", EXPERIMENT.version, config),
        experiment="attention",
        version=EXPERIMENT.version,
        preset="gpu",
        config=config,
        metrics={
            "iid": iid,
            "ood": 0.5,
            **{f"{against}_iid": 1.0 for against in AGAINST},
            **shares,
            **{f"{name}_mass": value for name, value in shares.items()},
            **{f"{name}_even": 0.1 for name in shares},
        },
        series=series,
        status="ok",
        provenance=provenance(),
    )


def grid(
    divergences: Mapping[str, float] = PUBLISHED,
    seeds: int = 7,
    task: str = "scan",
    iid: Mapping[str, float] | None = None,
    layers: Mapping[str, Any] | None = None,
) -> list[Record]:
    return [
        made_up(
            name,
            seed,
            task,
            divergences[name],
            (iid or {}).get(name, 1.0),
            (layers or {}).get(name, (1.0, 1.0)),
        )
        for name in OPTIONS
        for seed in range(seeds)
    ]


def verdict(number: str, records: list[Record], preset: str = "gpu") -> claims.Verdict:
    class Store:
        def load(self, experiment, preset):
            return records if experiment.name == "attention" else []

    claim = claims.get(f"length-generalization/{number}")
    return claims.judge_one(claim, claims.Evidence(Store(), preset))  # type: ignore[arg-type]


# C12


def test_c12_the_papers_own_order_is_reproduced() -> None:
    found = verdict("C12", grid())
    assert found.status == "reproduced", found.reason
    assert {figure.name for figure in found.figures} == {"nope, another seed", *OPTIONS} - {"nope"}
    assert len(found.records) == 35


def test_c12_the_order_at_another_size_of_divergence_is_the_same_direction() -> None:
    found = verdict("C12", grid({name: value / 3 for name, value in PUBLISHED.items()}))
    assert found.status == "same direction"


def test_c12_t5_no_closer_than_alibi_is_not_reproduced() -> None:
    found = verdict("C12", grid({**PUBLISHED, "alibi": 0.2}))
    assert found.status == "not reproduced"
    assert (
        "the nearest of alibi, rotary and sinusoidal minus t5: -6.30 hundredths of a nat"
        in found.reason
    )


def test_c12_three_seeds_cannot_tell_and_the_reason_says_so() -> None:
    found = verdict("C12", grid(seeds=3))
    assert found.status == "undecided"
    assert (
        "3 seeds cannot give a corrected p below 0.5, which is too few to judge by." in found.reason
    )


def test_c12_too_few_seeds_refute_nothing_either() -> None:
    assert verdict("C12", grid({**PUBLISHED, "alibi": 0.2}, seeds=3)).status == "undecided"
    assert verdict("C13", grid(layers={"alibi": (1.0, 2.0)}, seeds=2)).status == "undecided"


def test_c12_says_how_far_two_seeds_are_apart() -> None:
    found = verdict("C12", grid())
    assert "differ in the seed alone are apart: nope 0.268" in found.reason


def test_c12_a_model_that_has_not_learned_is_left_out_by_name() -> None:
    found = verdict("C12", grid(iid={"alibi": 0.2}))
    assert found.status == "undecided"
    assert "below 0.85: alibi 7 of 7 seeds" in found.reason


# C13


def test_c13_holds_where_every_layer_is_in_order() -> None:
    found = verdict("C13", grid())
    assert {figure.name: figure.ours for figure in found.figures} == {
        "t5 below alibi": 1.0,
        "alibi below sinusoidal": 1.0,
        "rotary farthest": 1.0,
    }
    assert found.status == "same direction"  # published: 9 of 12 layers for the second
    assert "Our models have 2 layers, the paper's 12." in found.reason


def test_c13_fails_by_a_single_layer() -> None:
    found = verdict("C13", grid(layers={"alibi": (1.0, 2.0)}))
    assert found.status == "not reproduced"
    shares = {figure.name: figure.ours for figure in found.figures}
    assert shares["alibi below sinusoidal"] == 0.5


def test_published_shares_of_layers_are_those_of_the_figure() -> None:
    assert claims.get("length-generalization/C13").published() == {
        "t5 below alibi": 1.0,
        "alibi below sinusoidal": 0.75,
        "rotary farthest": 1.0,
    }


# C17


def test_c17_the_published_shares_are_reproduced() -> None:
    found = verdict("C17", grid(task="addition"))
    assert found.status in ("reproduced", "same direction"), found.reason
    assert "A head that looks at everything alike has 0.10 near and 0.10 far" in found.reason


def test_c17_a_nope_that_never_looks_far_is_not_reproduced(monkeypatch) -> None:
    monkeypatch.setitem(FAR, "nope", 0.03)
    found = verdict("C17", grid(task="addition"))
    assert found.status == "not reproduced"
    assert "far: the less of nope and t5 minus far: alibi" in found.reason


# All


@pytest.mark.parametrize("number", ["C12", "C13", "C17"])
def test_without_records_it_says_how_to_get_them(number) -> None:
    found = verdict(number, [])
    assert found.status == "not tested at this scale"
    assert "positions sweep attention --preset gpu" in found.reason
    assert all(figure.published is not None for figure in found.figures)


@pytest.mark.parametrize("number", ["C12", "C13"])
def test_runs_of_another_task_count_for_nothing(number) -> None:
    assert verdict(number, grid(task="addition")).status == "not tested at this scale"


@pytest.mark.parametrize("number", ["C12", "C13", "C17"])
def test_where_nothing_was_learned_nothing_is_decided(number) -> None:
    records = grid(task="addition" if number == "C17" else "scan", iid=dict.fromkeys(OPTIONS, 0.1))
    found = verdict(number, records)
    assert found.status == "undecided"
    assert "No seed has runs of all encodings" in found.reason


def test_smoke_is_never_judged() -> None:
    assert verdict("C12", grid(), "smoke").status == "not tested at this scale"
