"""C18, C19 and C20 on made-up curves: what each verdict takes, and what is said beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from made_up import provenance
from positions import claims, published
from positions.claims import context_tests
from positions.experiments.base import key
from positions.experiments.context import EXPERIMENT, ContextConfig
from positions.runs import Record

CONTEXTS = (64, 128, 200, 225, 256, 320)
TIMES = {1.5625: 200, 1.7578125: 225, 2.0: 256, 2.5: 320}
OPTIONS = {"nope": "", "alibi": "", "rotary": "fraction=0.25"}
SETTINGS = ContextConfig(
    corpus="wikitext-2",
    encoding="nope",
    seed=0,
    vocabulary=257,
    context=128,
    contexts=CONTEXTS,
    scored=25,
    stretches=1,
    width=16,
    heads=2,
    layers=1,
    hidden=16,
    steps=4,
    batch_size=4,
    learning_rate=1e-3,
    evaluate_every=2,
).canonical()
# in multiples of the perplexity within, at 200, 225, 256 and 320 tokens: as in the paper
AS_PUBLISHED = {
    "nope": (1.76, 12.9, 49.8, 172.0),
    "alibi": (1.56, 5.2, 15.3, 51.6),
    "rotary": (214.0, 281.0, 288.0, 326.0),
}
WITHIN = {"nope": 2.73, "alibi": 2.81, "rotary": 2.68}


def made_up(variant: str, corpus: str, seed: int, within: float, times, status="ok") -> Record:
    config = {
        **SETTINGS,
        "corpus": corpus,
        "encoding": variant,
        "encoding_options": OPTIONS[variant],
        "seed": seed,
    }
    noise = 1 + 0.001 * seed
    curve = [within * 1.02, within, *(within * each * noise for each in times)]
    series = {
        "context": list(CONTEXTS),
        "loss": [math.log(each) for each in curve],
        "perplexity": curve,
        "standard_error": [0.1] * len(curve),
    }
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config,
        metrics={"parameters": 1_300_000, "perplexity": within if status == "ok" else None},
        series=series if status == "ok" else {},
        status=status,
        provenance=provenance(),
    )


def grid(
    within: Mapping[str, float] = WITHIN,
    times: Mapping[str, tuple[float, ...]] = AS_PUBLISHED,
    seeds: int = 3,
    texts: tuple[str, ...] = ("wikitext-2", "standard-library"),
) -> list[Record]:
    return [
        made_up(name, corpus, seed, (1 + 9 * number) * within[name], times[name])
        for number, corpus in enumerate(texts)
        for name in OPTIONS
        for seed in range(seeds)
    ]


@pytest.fixture
def judged(verdict):
    """Judge a claim by runs of this experiment."""
    return lambda number, records: verdict(number, [], context=records)


@pytest.mark.parametrize("number", ["C18", "C19", "C20"])
def test_the_papers_own_figures_bear_its_claims_out_in_direction(number, judged) -> None:
    found = judged(number, grid())
    assert found.status == "same direction"
    assert "Judged for direction: our models have 1.3 million weights" in found.reason
    assert len(found.records) == 18


@pytest.mark.parametrize("number", ["C18", "C19", "C20"])
def test_figures_of_ours_stand_apart_from_the_published(number, judged) -> None:
    """So that a perplexity that agrees by accident never makes a claim reproduced."""
    found = judged(number, grid())
    assert all(each.published is None or each.ours is None for each in found.figures)
    assert [each for each in found.figures if each.ours is not None]
    published_here = {each.name: each.published for each in found.figures if each.published}
    assert published_here == found.claim.published()


@pytest.mark.parametrize("number", ["C18", "C19", "C20"])
def test_one_corpus_alone_is_too_few(number, judged) -> None:
    for records in (grid(texts=("standard-library",)), grid(seeds=2)):
        found = judged(number, records)
        assert found.status == "undecided"
        assert "too few to judge by" in found.reason


@pytest.mark.parametrize("number", ["C18", "C19", "C20"])
def test_nothing_recorded_is_not_tested(number, judged) -> None:
    for records in ([], [made_up("nope", "wikitext-2", 0, 3.0, (1, 1, 1, 1), "diverged")]):
        found = judged(number, records)
        assert found.status == "not tested at this scale"
        assert "positions sweep context --preset" in found.reason and "it takes" in found.reason


@pytest.mark.parametrize(("rotary", "status"), [(2.73, "same direction"), (2.98, "not reproduced")])
def test_c18_asks_for_gaps_that_are_surely_small(rotary, status, judged) -> None:
    found = judged("C18", grid(within={**WITHIN, "rotary": rotary}))
    assert found.status == status
    gap = math.log(max(rotary, 2.81) / min(rotary, 2.73))
    assert f"The largest gap is {gap:.3f} nats." in found.reason


@pytest.mark.parametrize(
    "changed",
    [
        {"rotary": (1.5, 1.9, 3.0, 4.0)},  # not broken yet
        {"nope": (2.5, 12.9, 49.8, 172.0)},  # broken too
        {"alibi": (2.5, 5.2, 15.3, 51.6)},
    ],
)
def test_c19_fails_with_any_of_its_three_parts(changed, judged) -> None:
    assert judged("C19", grid(times={**AS_PUBLISHED, **changed})).status == "not reproduced"


def test_c19_tells_what_became_of_the_length_that_the_text_names(judged) -> None:
    reason = judged("C19", grid()).reason
    assert "At 1.76 times the context" in reason and "nope 12.9, alibi 5.21, rotary 281" in reason


@pytest.mark.parametrize(
    ("nope", "status"),
    [
        ((1.2, 1.2, 1.3, 1.3), "same direction"),
        ((1.0, 1.0, 1.0, 1.0), "not reproduced"),
        ((0.9, 0.9, 0.7, 0.7), "not reproduced"),
    ],
)
def test_c20_asks_who_rises_less_and_not_who_is_lower(nope, status, judged) -> None:
    times = {**AS_PUBLISHED, "alibi": (1.0, 1.0, 1.0, 1.0), "nope": nope}
    higher = {**WITHIN, "alibi": 2 * WITHIN["alibi"]}
    assert judged("C20", grid(within=higher, times=times)).status == status


def test_the_bars_are_told_as_they_are_tested() -> None:
    effects = [claims.get(f"length-generalization/{n}").effect for n in ("C18", "C19", "C20")]
    assert effects[0].startswith(f"{context_tests.ALIKE} nats")
    assert abs(context_tests.ALIKE - math.log(1 + 1 / 20)) < 0.002
    assert effects[1].startswith("twice") and context_tests.BROKEN == 2
    assert effects[2].startswith("a tenth") and context_tests.STEADIER == 0.1


def test_what_the_docstrings_say_of_the_published_figures_is_so() -> None:
    table = published.load("length-generalization/1b_perplexity")
    long = table[table.length_bucket.str.split("-").str[0].astype(int) >= 2_750]
    mean = long.groupby(["pe", "context_size"]).perplexity.mean()
    within = mean.xs(1_024, level="context_size")
    assert math.log(within.max() / within.min()) == pytest.approx(0.046, abs=5e-4)
    ratio = mean / within.reindex(mean.index, level="pe")
    assert ratio["nope", 1_600] < 2 and ratio["alibi", 1_600] < 2 < ratio["rotary", 1_400]
    assert round(ratio["nope", 1_800]) == 13 and round(ratio["alibi", 1_800]) == 5
