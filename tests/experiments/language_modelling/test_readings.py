"""What tidy tables say of made-up runs."""

from __future__ import annotations

import pytest

from made_up import provenance
from positions.errors import InvalidValueError
from positions.experiments.base import key
from positions.experiments.language_modelling import EXPERIMENT, LanguageConfig, readings
from positions.experiments.language_modelling.presets import SMOKE
from positions.runs import Record


def made_up(table: str, loss: float | None, others: dict[tuple[int, int], float], **changes):
    """Make a record; `others`: the loss with other rows."""
    settings = {"corpus": "wikitext-2", "objective": "causal", "seed": 0, **SMOKE, **changes}
    config = LanguageConfig(table=table, **settings)
    own = (config.first, config.stride)
    series = {} if loss is None else {"loss": [loss, *others.values()]}
    if series:
        series["first"], series["stride"] = map(list, zip(*(own, *others), strict=True))
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config.canonical()),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics={"loss": loss, "perplexity": None, "validation_loss": loss, "kept": None},
        series=series,
        status="ok" if series else "diverged",
        provenance=provenance(),
    )


RUNS = [
    made_up("zeros", 5.0, {(0, 4): 5.0}),
    made_up("gpt2", 4.2, {(0, 4): 4.9, (16, 1): 4.3}),
    made_up("gpt2", 4.3, {(0, 1): 5.5}, stride=4),
    made_up("random", 4.1, {}, frozen=False),
    made_up("random", None, {}),
    made_up("gpt2", 3.9, {(0, 4): 4.0}, objective="masked"),
]


def test_gain_is_over_no_positions_of_the_same_objective_and_seed() -> None:
    table = readings.runs(RUNS).set_index(["objective", "table", "stride"])
    assert table.loc[("causal", "gpt2", 1), "gain"] == pytest.approx(0.8)
    assert table.loc[("causal", "gpt2", 4), "gain"] == pytest.approx(0.7)
    assert table.loc[("causal", "random, trained", 1), "gain"] == pytest.approx(0.9)
    assert table.loc[("masked", "gpt2", 1)].isna()["gain"], "no masked run without positions"
    assert len(table) == 5, "a run that diverged is left out"


def test_what_other_rows_cost_swapped_in_and_trained_with() -> None:
    found = readings.skipped(RUNS).set_index(["objective", "table", "first", "stride"])
    assert found.loc[("causal", "gpt2", 0, 4), "swapped"] == pytest.approx(0.7)
    assert found.loc[("causal", "gpt2", 0, 4), "trained"] == pytest.approx(0.1)
    assert found.loc[("causal", "gpt2", 16, 1), "swapped"] == pytest.approx(0.1)
    assert found["trained"].isna().sum() == 3
    assert len(found) == 4, "a run trained with other rows is no start of its own"


def test_two_runs_of_one_kind_are_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"Two runs of wikitext-2, causal, zeros.*steps"):
        readings.runs([RUNS[0], made_up("zeros", 4.0, {}, steps=5)])


def test_the_papers_pairs_are_marked() -> None:
    assert readings.is_published("causal", "gpt2")
    assert not readings.is_published("masked", "gpt2")


def test_nothing_gives_empty_tables() -> None:
    assert not len(readings.runs([])) and "gain" in readings.runs([])
    assert not len(readings.skipped([])) and "swapped" in readings.skipped([])
