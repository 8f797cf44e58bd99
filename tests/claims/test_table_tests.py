from dataclasses import replace

import numpy as np
import pytest

from positions import claims, published
from positions.experiments import Outcome
from positions.experiments.probing import EXPERIMENT, ProbingConfig
from positions.runs import Store, execute

COPIES = [f"bert-base-uncased-finetuned-{letter}" for letter in "abc"]
TABLES = ["sinusoidal", "gpt2", *COPIES]
TABLE_1 = {"sinusoidal": 0.0, "gpt2": 1.03, "bert-base-uncased": 34.14, "roberta-base": 6.06}
TABLE_2 = {"sinusoidal": 5.08, "gpt2": 1.56, "bert-base-uncased": 19.72, "roberta-base": 7.23}
SEEDS = 40


def noise(mean, spread, seed):
    return [
        float(value) for value in mean + spread * np.random.default_rng(seed).normal(size=SEEDS)
    ]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


@pytest.fixture
def record(store):
    """Give a function that records made-up readings of a table."""

    def write(table, measure, series=None, metrics=None, **config):
        outcome = Outcome(metrics or {}, series or {})
        made_up = replace(EXPERIMENT, run=lambda config: outcome)
        settings = ProbingConfig(table=table, measure=measure, **config)
        store.add(execute(made_up, settings, "laptop"))

    return write


@pytest.fixture
def as_published(record):
    """Record Tables 1 and 2 as published, but for RoBERTa, with some noise over seeds."""

    def write(tables=TABLES, index=TABLE_1, order=TABLE_2):
        for number, table in enumerate(tables):
            name = table.split("-finetuned")[0]
            unused = {"unused_rows": True} if name == "roberta-base" else {}
            width = 0.03 * index[name]
            record(
                table,
                "index",
                {"mae_by_seed": noise(index[name], width, number)},
                {"guess": 128.0},
                **unused,
            )
            errors = noise(order[name], 1.0, 10 + number)
            record(table, "order", {"error_by_seed": errors}, **unused)

    return write


def verdict(store, number, preset="laptop"):
    evidence = claims.Evidence(store, preset)
    return claims.judge_one(claims.get(f"position-embeddings/{number}"), evidence)


def test_sixteen_claims_are_declared_with_an_effect_that_counts():
    listed = claims.claims("position-embeddings")
    assert [claim.number for claim in listed] == [f"C{number}" for number in range(1, 17)]
    for claim in listed:
        assert claim.statement.endswith(".")
        assert claim.quantity
        assert claim.effect
        assert claim.test or claim.missing


def test_figures_of_the_claims_are_those_of_tables_1_and_2():
    assert claims.get("position-embeddings/C1").published() == TABLE_1
    assert claims.get("position-embeddings/C4").published() == TABLE_2
    assert set(published.load("position-embeddings/tables").value) == {
        *TABLE_1.values(),
        *TABLE_2.values(),
    }


def test_nothing_recorded_tests_nothing(store):
    for item in claims.judge("position-embeddings", store):
        assert item.status == "not tested at this scale"
        assert item.records == ()
        assert item.ours == ""
    assert "No recorded runs for: roberta-base, bert-base-uncased" in verdict(store, "C6").reason


def test_runs_like_the_published_ones_reproduce_what_they_can(store, as_published):
    as_published()
    found = {number: verdict(store, number) for number in ("C1", "C2", "C4", "C5")}
    assert {name: item.status for name, item in found.items()} == dict.fromkeys(found, "reproduced")
    for item in found.values():
        assert item.records
        assert set(item.records) <= {record.key for record in store.read("probing", "laptop")}
    assert "3 fine-tuned copies" in found["C1"].reason
    assert "RoBERTa's table (roberta-base) has no recorded runs" in found["C1"].reason
    assert "off by 128 positions" in found["C2"].reason
    # sinusoid to GPT-2, GPT-2 to each copy of BERT, as RoBERTa's place between is empty
    assert "4 of 4 comparisons come out as claimed" in found["C1"].reason
    assert verdict(store, "C6").status == "not tested at this scale"


def test_all_four_tables_are_compared_where_they_are_recorded(store, as_published):
    as_published(["sinusoidal", "gpt2", "roberta-base", "bert-base-uncased"])
    found = verdict(store, "C1")
    assert found.status == "reproduced"
    assert "3 of 3 comparisons come out as claimed" in found.reason
    assert "copies" not in found.reason
    assert verdict(store, "C6").status == "reproduced"


def test_right_order_with_other_figures_is_the_same_direction(store, as_published):
    as_published(index={**TABLE_1, "gpt2": 3.0})
    found = verdict(store, "C1")
    assert found.status == "same direction"
    assert "those of gpt2 outside it" in found.reason


def test_wrong_order_is_not_reproduced(store, as_published):
    as_published(index={**TABLE_1, "gpt2": 60.0}, order={**TABLE_2, "gpt2": 9.0})
    assert verdict(store, "C1").status == "not reproduced"
    assert verdict(store, "C2").status == "not reproduced"
    assert verdict(store, "C5").status == "not reproduced"


def test_differences_within_noise_are_undecided(store, as_published):
    as_published(order={**TABLE_2, "gpt2": 4.7})
    assert verdict(store, "C5").status == "undecided"


def test_one_copy_of_bert_against_the_claim_is_enough(store, as_published, record):
    as_published(["sinusoidal", "gpt2", *COPIES[:2]])
    record(COPIES[2], "index", {"mae_by_seed": noise(0.2, 0.01, 9)})
    assert verdict(store, "C1").status == "not reproduced"


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.2, "not reproduced"), (1.02, "same direction"), (0.9, "undecided")],
)
def test_distance_is_judged_by_what_a_probe_saves(store, record, share, expected):
    for number, table in enumerate(TABLES):
        guess = noise(170, 2, number)[:3]
        error = [
            share * one + 8 * two for one, two in zip(guess, noise(0, 1, number), strict=False)
        ]
        record(table, "distance-forms", {"bilinear_mae_by_seed": error, "guess_by_seed": guess})
        record(table, "distance-linear", metrics={"all_pairs_mae": 119.0, "all_pairs_guess": 170.0})
    found = verdict(store, "C3")
    assert found.status == expected
    assert "15 pairs of table and seed" in found.reason
    assert "still errs 70 to 70 % of that guess" in found.reason
    assert len(found.records) == 10


@pytest.mark.parametrize(
    ("bands", "expected"),
    [
        ([0.9, 0.4, 0.3, 0.2], "same direction"),
        ([0.9, 0.4, 0.3, 0.85], "not reproduced"),
        ([0.5, 0.9, 0.9, 0.9], "not reproduced"),
    ],
)
def test_bert_is_regular_where_the_offset_explains_its_cosines(store, record, bands, expected):
    for table in COPIES:
        record(
            table,
            "invariance",
            {"band_toeplitz_r2": bands, "band_start": [0, 128, 256, 384]},
        )
    found = verdict(store, "C7")
    assert found.status == expected
    assert len(found.figures) == 12
    assert found.figures[0].name == f"{COPIES[0]}, rows 0 to 127"


@pytest.mark.parametrize(
    ("encoder", "decoder", "expected"),
    [
        ((0.9, 0.2), (0.9, 0.9), "same direction"),
        ((0.9, 0.9), (0.9, 0.9), "not reproduced"),
        ((0.2, 0.2), (0.9, 0.9), "not reproduced"),
        ((0.9, 0.2), (0.9, 0.2), "not reproduced"),
    ],
)
def test_encoders_are_local_where_only_near_cosines_fall(
    store, as_published, record, encoder, decoder, expected
):
    as_published()
    for table in TABLES[1:]:
        near, far = decoder if table == "gpt2" else encoder
        taus = {"cosine_local_forward": near, "cosine_global_forward": far}
        record(table, "invariance", metrics=taus)
    assert verdict(store, "C8").status == expected


def test_smoke_runs_are_never_evidence(store, as_published):
    as_published()
    evidence = claims.Evidence(store, "smoke")
    for claim in claims.claims():
        found = claims.judge_one(claim, evidence)
        assert found.status == "not tested at this scale"
        assert "smoke" in found.reason


def test_tables_of_verdicts_and_figures(store, as_published):
    as_published()
    verdicts = claims.judge(store=store)
    table = claims.table(verdicts)
    assert list(table.id.str.split("/").str[0].value_counts()) == [22, 16]
    assert set(table.verdict) <= set(claims.STATUSES)
    row = table.set_index("id").loc["position-embeddings/C1"]
    assert "bert-base-uncased 34.14" in row.published
    assert "bert-base-uncased 3" in row.ours
    figures = claims.figures(verdicts).set_index(["id", "name"])
    one = figures.loc[("position-embeddings/C1", "bert-base-uncased")]
    assert one.low < one.published < one.high
    assert one.n == 3 * SEEDS


def test_unknown_paper_and_claim_are_refused():
    with pytest.raises(LookupError, match="Valid: length-generalization, position-embeddings"):
        claims.judge("attention")
    with pytest.raises(LookupError, match="Unknown claim 'position-embeddings/C17'"):
        claims.get("position-embeddings/C17")
