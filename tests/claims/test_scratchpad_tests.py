"""C14, C15 and C16 on made-up runs: what each verdict takes, and what is said beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from positions import claims, published
from positions.claims.length_tests import EFFECT
from positions.claims.scratchpad_tests import RANK
from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.base import key
from positions.experiments.scratchpad.config import TASKS, ScratchpadConfig
from positions.experiments.scratchpad.presets import formats_of
from positions.runs import Record

EXPERIMENT = get("scratchpad")
OPTIONS = {
    "nope": ("nope", ""),
    "t5": ("t5", ""),
    "alibi": ("alibi", ""),
    "rotary": ("rotary", "fraction=0.25"),
    "sinusoidal": ("sinusoidal", "amplitude=1.0"),
}
SETTINGS = ScratchpadConfig(
    task="parity",
    encoding="nope",
    seed=0,
    longest=8,
    test_longest=16,
    train=200,
    test=40,
    width=16,
    heads=2,
    layers=1,
    hidden=32,
    dropout=0.0,
    steps=4,
    batch_size=8,
    learning_rate=2e-3,
    evaluate_every=2,
).canonical()
Value = Callable[[str, str, str], float]


def paper() -> Value:
    """Return the published accuracy by task, format and encoding.

    Where two formats are published as one, both get their mean.
    """
    table = published.load("length-generalization/scratchpad_ood_accuracy")
    known = {
        (row.task, row.scratchpad.removesuffix("_CO"), {"ape": "sinusoidal"}.get(row.pe, row.pe)): (
            row.accuracy
        )
        for row in table.itertuples()
    }

    def value(task: str, form: str, variant: str) -> float:
        merged = form == "full-C" and (task, form, variant) not in known
        return float(known[task, "full-I" if merged else form, variant])

    return value


def instead(task: str, change: Value, base: Value | None = None) -> Value:
    """Return the published accuracies but for one task."""
    others = paper() if base is None else base
    return lambda name, form, variant: (change if name == task else others)(name, form, variant)


@pytest.fixture
def grid(run: Any) -> Callable[..., list[Record]]:
    """Give a function that makes a whole grid of runs."""

    def one(task: str, form: str, variant: str, seed: int, beyond: float, within: float) -> Record:
        encoding, options = OPTIONS[variant]
        config = {**SETTINGS, "task": task, "scratchpad": form, "seed": seed}
        config |= {"encoding": encoding, "encoding_options": options}
        metrics = {"iid_best": within, "ood_best": beyond, "ood_exact_best": beyond}
        metrics |= {"ood_steps": None if form == "none" else beyond, "chance": 0.0}
        like = run("scan", "nope", 0, 0.0)
        changes = {"key": key(EXPERIMENT.name, EXPERIMENT.version, config), "config": config}
        changes |= {"metrics": metrics, "experiment": EXPERIMENT.name}
        return like.model_copy(update={**changes, "version": EXPERIMENT.version})

    def build(
        value: Value | None = None,
        seeds: int = 3,
        noise: float = 0.0,
        tasks: Iterable[str] = TASKS,
        forms: Callable[[str], Iterable[str]] = formats_of,
        within: Value = lambda task, form, variant: 1.0,
        variants: Iterable[str] = OPTIONS,
    ) -> list[Record]:
        rng = np.random.default_rng(0)
        known = paper() if value is None else value
        return [
            one(
                task,
                form,
                variant,
                seed,
                float(np.clip(known(task, form, variant) + noise * rng.normal(), 0, 1)),
                within(task, form, variant),
            )
            for task in tasks
            for form in forms(task)
            for variant in variants
            for seed in range(seeds)
        ]

    return build


@pytest.fixture
def judged(verdict: Any) -> Callable[..., claims.Verdict]:
    """Give a function that judges a claim by made-up runs."""
    return lambda number, records: verdict(number, [], scratchpad=records)


def best(form: str) -> Value:
    """Return accuracies of a task where one format is the best for everyone."""
    return lambda task, name, variant: 0.8 if name == form else 0.3


# C14


def test_c14_the_papers_own_runs_are_reproduced(judged, grid):
    found = judged("C14", grid())
    assert found.status == "reproduced", found.reason
    assert {figure.name: figure.ours for figure in found.figures} == found.claim.published()
    assert "7 of 7 comparisons come out as claimed (paired by encoding and seed" in found.reason
    assert len(found.records) == len(grid())


def test_c14_with_noise_the_direction_stays(judged, grid):
    found = judged("C14", grid(noise=0.005))
    assert found.status in ("reproduced", "same direction"), found.reason


def test_c14_a_scratchpad_that_does_not_help_in_addition_is_not_reproduced(judged, grid):
    found = judged("C14", grid(instead("addition", best("none"))))
    assert found.status == "not reproduced"
    assert "addition: best scratchpad minus addition: no scratchpad: -0.50" in found.reason


def test_c14_one_encoding_that_is_not_helped_in_addition_is_enough(judged, grid):
    def but_rotary(task, form, variant):
        return 0.0 if variant == "rotary" else paper()(task, form, variant)

    found = judged("C14", grid(instead("addition", but_rotary)))
    assert found.status == "not reproduced"
    assert "addition, rotary: best scratchpad minus addition, rotary: no" in found.reason


def test_c14_a_second_task_that_helps_all_is_not_reproduced(judged, grid):
    found = judged("C14", grid(instead("parity", best("minimal"))))
    assert found.status == "not reproduced"
    assert "parity, " in found.reason


def test_c14_a_second_task_that_helps_most_is_left_to_more_seeds(judged, grid):
    def but_t5(task, form, variant):
        return 0.2 if variant == "t5" and form != "none" else best("minimal")(task, form, variant)

    records = grid(instead("parity", but_t5))
    found = judged("C14", records)
    assert found.status == "undecided"
    assert "parity, t5: no scratchpad plus 0.05 minus parity, t5: best scratchpad" in found.reason


def test_c14_an_encoding_that_has_not_learned_addition_leaves_all_open(judged, grid):
    found = judged(
        "C14",
        grid(within=lambda task, form, name: 0.2 if (task, name) == ("addition", "t5") else 1),
    )
    assert found.status == "undecided"
    assert "On addition there is nothing to compare of t5." in found.reason
    assert "below 0.85: addition 24 of 120 runs." in found.reason


def test_c14_without_addition_nothing_is_decided(judged, grid):
    found = judged("C14", grid(tasks=TASKS[1:]))
    assert found.status == "undecided"
    assert "Not recorded: addition." in found.reason


# C15


def test_c15_the_papers_own_runs_are_reproduced(judged, grid):
    found = judged("C15", grid())
    assert found.status == "reproduced", found.reason
    assert {item.name: item.ours for item in found.figures} == pytest.approx(
        found.claim.published()
    )
    assert "paired by task and encoding" in found.reason


def test_c15_formats_that_are_all_alike_are_not_reproduced(judged, grid):
    found = judged("C15", grid(lambda task, form, variant: 0.5, noise=0.03))
    assert found.status == "not reproduced"
    # the figures, which are what is published, are larger by chance alone
    assert all(figure.ours > 0.03 for figure in found.figures)


def test_published_spreads_are_those_of_the_table():
    table = published.load("length-generalization/scratchpad_ood_accuracy")
    rows = table[(table.task == "addition") & (table.scratchpad != "none")]
    spans = [max(part.accuracy) - min(part.accuracy) for _, part in rows.groupby("pe")]
    found = claims.get("length-generalization/C15").published()
    assert found["addition"] == pytest.approx(sum(spans) / 5)
    assert min(found.values()) > EFFECT


# C16


def test_c16_a_best_format_of_each_encodings_own_holds(judged, grid):
    own = dict(zip(OPTIONS, ("minimal", "full-R", "full", "full-C", "full-O"), strict=True))
    found = judged("C16", grid(lambda task, form, variant: 0.8 if form == own[variant] else 0.3))
    assert found.status in ("reproduced", "same direction"), found.reason
    assert "nope minimal (1.00), t5 without remaining (1.00)" in found.reason


def test_c16_one_format_best_for_all_is_not_reproduced(judged, grid):
    found = judged("C16", grid(lambda task, form, variant: 0.8 if form == "minimal" else 0.3))
    assert found.status == "not reproduced"


def test_c16_formats_that_are_all_alike_give_no_difference(judged, grid):
    found = judged("C16", grid(lambda task, form, variant: 0.5, noise=0.05))
    assert found.status in ("not reproduced", "undecided")


def test_c16_figures_are_of_the_tasks_that_have_all_formats(judged, grid):
    found = judged("C16", grid(best("minimal"), tasks=[*TASKS]))
    first = {figure.name: figure for figure in found.figures}["nope: minimal"]
    assert (first.ours, first.n) == (1.0, 4)


# All


NUMBERS = pytest.mark.parametrize("number", ["C14", "C15", "C16"])


@NUMBERS
def test_without_records_it_says_how_to_get_them(number, judged):
    found = judged(number, [])
    assert found.status == "not tested at this scale"
    assert "positions sweep scratchpad --preset gpu" in found.reason
    assert all(figure.published is not None for figure in found.figures)


@NUMBERS
def test_an_encoding_that_is_not_recorded_is_named(number, judged, grid):
    found = judged(number, grid(variants=["nope", "t5", "rotary"]))
    assert found.status == "not tested at this scale"
    assert "No recorded runs of alibi, sinusoidal" in found.reason


@NUMBERS
@pytest.mark.parametrize("seeds", [1, 2])
def test_too_few_seeds_decide_nothing(number, seeds, judged, grid):
    found = judged(number, grid(seeds=seeds))
    assert found.status == "undecided"
    assert "7 of 7 tasks have fewer than 3 seeds" in found.reason
    assert "nan" not in found.reason


@NUMBERS
def test_formats_that_are_not_recorded_yet_leave_all_open(number, judged, grid):
    found = judged(number, grid(forms=lambda task: ("none", "minimal", "full"), tasks=["lego"]))
    assert found.status == "undecided"
    words = "lego (without input, without computation, without output, without remaining)"
    assert f"for want of formats: {words}" in found.reason
    assert "Only 0 of 7 tasks can be compared" in found.reason


@NUMBERS
def test_where_nothing_was_learned_nothing_is_decided(number, judged, grid):
    found = judged(number, grid(within=lambda task, form, variant: 0.1))
    assert found.status == "undecided"
    assert "nan" not in found.reason


@NUMBERS
def test_a_mixture_of_settings_is_refused(number, judged, grid):
    records = grid(tasks=["parity"], seeds=1)
    other = records[-1].model_copy(update={"config": {**records[-1].config, "steps": 5}})
    with pytest.raises(InvalidValueError, match=r"parity differ in steps \(4 / 5\)"):
        judged(number, [*records[:-1], other])


def test_effects_are_told_as_they_are_tested():
    for number, constant in (("C14", EFFECT), ("C15", EFFECT), ("C16", RANK)):
        assert claims.get(f"length-generalization/{number}").effect.startswith(f"{constant} ")
