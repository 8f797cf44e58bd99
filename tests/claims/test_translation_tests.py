"""C14 and C15, on made-up translators whose tables help more or less."""

from __future__ import annotations

import numpy as np
import pytest

from made_up import provenance
from positions import claims, published
from positions.analysis.bleu import bleu
from positions.claims import translation_tests
from positions.experiments.base import key
from positions.experiments.translation import EXPERIMENT, TranslationConfig
from positions.experiments.translation.presets import COPY, SMOKE
from positions.experiments.translation.run import COLUMNS
from positions.runs import Record, Store

TABLES = ("random", "sinusoidal", COPY, "gpt2")


def run(encoder: str, decoder: str, seed: int, helps: dict, long_helps: dict, **changes) -> Record:
    config = TranslationConfig(
        encoder=encoder, decoder=decoder, seed=seed, **{"corpus": "multi30k", **SMOKE, **changes}
    )
    chance = np.random.default_rng([seed, *f"{encoder} {decoder}".encode()])
    lengths = np.array([8] * 90 + [40] * 6)
    rows = []
    for length in lengths:
        more = long_helps if length == 40 else helps
        share = 0.5 + more.get(encoder, 0) + more.get(decoder, 0) + 0.002 * chance.normal()
        rows.append([round((length - n) * share ** (n + 1)) for n in range(4)] + [length, length])
    counts = np.array(rows)
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config.canonical()),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics={"bleu": bleu(counts)},
        series={
            **{name: counts[:, i].tolist() for i, name in enumerate(COLUMNS)},
            "source_length": lengths.tolist(),
        },
        status="ok",
        provenance=provenance(),
    )


@pytest.fixture
def judged(tmp_path):
    """Judge both claims on a grid of made-up runs."""

    def judge(seeds: int, helps: dict, long_helps: dict, **changes):
        store = Store(tmp_path)
        store.extend(
            run(one, other, seed, helps, long_helps, **changes)
            for seed in range(seeds)
            for one in TABLES
            for other in TABLES
        )
        return claims.judge(store=store, preset="laptop", chapter="translation")

    return judge


def test_as_claimed(judged) -> None:
    first, second = judged(3, {COPY: 0.2}, {"gpt2": 0.2})
    assert (first.claim.number, first.status) == ("C14", "same direction")
    assert (second.claim.number, second.status) == ("C15", "same direction")
    assert "fine-tuned copy" in first.reason and len(first.records) == 48


def test_another_table_is_best(judged) -> None:
    statuses = [each.status for each in judged(3, {"sinusoidal": 0.2}, {"random": 0.2})]
    assert statuses == ["not reproduced", "not reproduced"]


def test_two_seeds_are_too_few(judged) -> None:
    for verdict in judged(2, {COPY: 0.2}, {"gpt2": 0.2}):
        assert verdict.status == "undecided" and "2 seeds, and 3 are needed" in verdict.reason


@pytest.mark.parametrize(
    "changes", [{"corpus": "generated-pairs"}, {"frozen": True}, {"preparation": "paper"}]
)
def test_other_arms_and_the_made_up_language_do_not_count(judged, changes) -> None:
    for verdict in judged(1, {COPY: 0.2}, {"gpt2": 0.2}, **changes):
        assert verdict.status == "not tested at this scale"
        assert "positions sweep translation --preset laptop" in verdict.reason


def test_a_printed_figure_is_taken_up_when_it_is_filled_in(judged, monkeypatch) -> None:
    table = published.load("position-embeddings/translation")
    assert table["value"].isna().all() and translation_tests.printed("all") == {}
    table.loc[0, "value"] = 31.5
    monkeypatch.setattr(translation_tests.published, "load", lambda name: table)
    assert translation_tests.printed("all") == {"random, random": 31.5}
    (first, _) = judged(3, {COPY: 0.2}, {"gpt2": 0.2})
    assert [f.published for f in first.figures if f.name == "random, random"] == [31.5]
