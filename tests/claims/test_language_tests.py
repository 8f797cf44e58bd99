"""C13 of Wang & Chen on made-up runs: what the verdict takes, and what is said beside it."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from made_up import provenance
from positions import claims, published
from positions.claims.language_tests import printed
from positions.experiments.base import key
from positions.experiments.language_modelling import EXPERIMENT, LanguageConfig
from positions.experiments.language_modelling.presets import SMOKE
from positions.runs import Record

COPY = "bert-base-uncased-finetuned-a"
TABLES = ("gpt2", COPY)
NAME = "position-embeddings/language-modelling"


def run(objective: str, table: str, seed: int, loss: float, stride: int = 1, **changes) -> Record:
    """Record one run; given skipped rows in the test it pays half a nat."""
    settings = {"corpus": "wikitext-2", **SMOKE, "stride": stride, **changes}
    config = LanguageConfig(objective=objective, table=table, seed=seed, **settings)
    other = (0, 4) if stride == 1 else (0, 1)
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config.canonical()),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="gpu",
        config=config.canonical(),
        metrics={"loss": loss},
        series={
            "first": [0, other[0]],
            "stride": [stride, other[1]],
            "loss": [loss, loss + 0.5],
        },
        status="ok",
        provenance=provenance(),
    )


def pair(objective: str, table: str, seed: int, cost: float, **changes) -> list[Record]:
    """Record a run with the first rows of a table and one with every fourth."""
    loss = 3.0 + 0.1 * seed
    return [
        run(objective, table, seed, loss, **changes),
        run(objective, table, seed, loss + cost + 0.001 * seed, stride=4, **changes),
    ]


def grid(masked: float, causal: float, tables=TABLES, seeds=3, **changes) -> list[Record]:
    costs = {"masked": masked, "causal": causal}
    return [
        record
        for objective, cost in costs.items()
        for table in tables
        for seed in range(seeds)
        for record in pair(objective, table, seed, cost, **changes)
    ]


@pytest.fixture
def judged(evidence):
    claim = claims.get("position-embeddings/C13")
    return lambda records: claims.judge_one(claim, evidence([], language_modelling=records))


@pytest.fixture
def fill(monkeypatch):
    """Give a function that fills cells of the published table in, as a reader may."""
    load = published.load

    def write(values: dict[tuple[str, str, str], float], corpus: str = "wikitext-2") -> None:
        def filled(name: str) -> pd.DataFrame:
            table = load(name)
            if name == NAME:
                names = ["corpus", "objective", "encoding", "rows"]
                for cell, value in values.items():
                    row = (table[names] == (corpus, *cell)).all(axis=1)
                    assert row.sum() == 1
                    table.loc[row, "value"] = value
            return table

        monkeypatch.setattr(published, "load", filled)

    return write


@pytest.mark.parametrize(("masked", "causal"), [(0.02, 0.2), (0.2, 0.02)])
def test_a_difference_in_either_direction_is_as_claimed(judged, masked, causal) -> None:
    found = judged(grid(masked, causal))
    assert found.status == "same direction"
    assert "comes out as claimed (paired by table and seed" in found.reason
    assert "1 fine-tuned copy" in found.reason
    assert "roberta-base has no runs of both objectives" in found.reason
    assert f"masked model with BERT's table pays {masked + 0.001:.2f}" in found.reason
    assert "only in the test, trained models pay 0.50 (masked) and 0.50 (causal)" in found.reason
    assert len(found.records) == 2 * 2 * 3 * 2


def test_the_same_reaction_is_no_difference(judged) -> None:
    assert judged(grid(0.1, 0.105)).status == "not reproduced"


def test_a_difference_of_tables_is_none_of_objectives(judged) -> None:
    """The paper's pairs differ, masked with BERT's table and causal with GPT-2's; crossed not."""
    by_table = [
        record
        for table, cost in (("gpt2", 0.3), (COPY, 0.02))
        for record in grid(cost, cost, tables=(table,))
    ]
    found = judged(by_table)
    assert found.status == "not reproduced"
    assert "BERT's table pays 0.02 and a causal one with GPT-2's 0.30" in found.reason


def test_too_few_seeds_or_pairs_are_undecided(judged) -> None:
    found = judged(grid(0.02, 0.2, seeds=2))
    assert found.status == "undecided" and "runs of 2 seeds, and 3" in found.reason
    found = judged(grid(0.02, 0.2, tables=("gpt2",)))
    assert found.status == "undecided" and "too few to judge by" in found.reason


def test_what_does_not_bear_on_it_is_left_out(judged) -> None:
    """Generated text, trained tables, the sinusoid, and runs of one objective alone."""
    for records in (
        [],
        grid(0.02, 0.2, corpus="generated-language"),
        grid(0.02, 0.2, frozen=False),
        grid(0.02, 0.2, tables=("sinusoidal",)),
        [each for each in grid(0.02, 0.2) if each.config["objective"] == "masked"],
        [each for each in grid(0.02, 0.2) if each.config["stride"] == 1],
    ):
        found = judged(records)
        assert found.status == "not tested at this scale"
        assert "positions sweep language_modelling --preset gpu" in found.reason


def test_no_published_figure_is_at_hand_and_those_filled_in_are_taken_up(judged, fill) -> None:
    assert printed() == {}
    pays = {("masked", "bert-base-uncased"): 0.021, ("causal", "gpt2"): 0.201}
    plain = {(*cell, "plain"): 20.0 for cell in pays}
    fill(plain)
    assert printed() == {}, "one of two perplexities is no difference"
    fill(plain | {(*cell, "skipped"): 20.0 * math.exp(cost) for cell, cost in pays.items()})
    assert printed() == pytest.approx(
        {f"{objective}, {table}": cost for (objective, table), cost in pays.items()}
    )
    assert judged(grid(0.02, 0.2)).status == "reproduced"
    assert judged(grid(0.02, 0.1)).status == "same direction", "one figure is not ours"


def test_figures_of_the_larger_corpus_are_not_compared_with(judged, fill) -> None:
    cell = ("masked", "bert-base-uncased")
    fill({(*cell, "plain"): 20.0, (*cell, "skipped"): 30.0}, corpus="wikitext-103")
    assert printed() == {}
