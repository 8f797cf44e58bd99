"""Claims on text classification, judged by made-up runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from positions import claims, published
from positions.claims.classification_tests import printed
from positions.experiments.base import key
from positions.experiments.classification import EXPERIMENT, ClassificationConfig
from positions.experiments.classification.bits import pack
from positions.runs import Record
from positions.tasks.sentences import SETS

COPIES = tuple(f"bert-base-uncased-finetuned-{letter}" for letter in "abc")
TABLES = ("random", "sinusoidal", "gpt2", *COPIES)
BASE = {"mr": 0.75, "sst1": 0.4, "sst2": 0.8, "subj": 0.9, "trec": 0.85, "cr": 0.78, "mpqa": 0.85}
LENGTHS = np.arange(1, 51)
EACH = 12
Lead = Callable[[str, np.ndarray], np.ndarray | float]
SIZES = {"width": 16, "heads": 2, "hidden": 16, "epochs": 1, "learning_rate": 1e-3}


def classified(table: str, task: str, seed: int, lead: Lead, provenance, **changes) -> Record:
    """Record answers drawn at the base rate of the task plus the table's lead, by length."""
    settings = {**SIZES, "evaluate_every": 1, **changes}
    config = ClassificationConfig(task=task, table=table, seed=seed, **settings).canonical()
    words = np.repeat(LENGTHS, EACH)
    chance = np.random.default_rng([seed, *f"{task} {table}".encode()])
    name = "bert" if table in COPIES else table
    rate = np.clip(BASE.get(task, 0.5) + lead(name, words), 0.02, 0.98)
    right = chance.random(len(words)) < rate
    share = float(right.mean())
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="gpu",
        config=config,
        metrics={"accuracy": share, "reported": share},
        series={
            "length": LENGTHS.tolist(),
            "count": [EACH] * len(LENGTHS),
            "right": [pack(right.tolist())],
        },
        status="ok",
        provenance=provenance,
    )


@pytest.fixture
def judged(evidence, provenance):
    """Give a function that judges a claim by a grid of made-up runs."""

    def judge(number: str, lead: Lead, tables=TABLES, tasks=tuple(SETS), seeds=5, more=()):
        records = [
            classified(table, task, seed, lead, provenance)
            for table in tables
            for task in tasks
            for seed in range(seeds)
        ]
        found = evidence([], classification=[*records, *more])
        return claims.judge_one(claims.get(f"position-embeddings/{number}"), found)

    return judge


@pytest.fixture
def provenance(run):
    """Give the provenance of the made-up runs of the other paper."""
    return run("scan", "nope", 0, 0.5).provenance


@pytest.fixture
def fill(monkeypatch):
    """Give a function that fills cells of the published table in, as a reader may."""
    load = published.load

    def write(cells: dict[tuple[str, str], float]) -> None:
        def filled(name: str) -> pd.DataFrame:
            table = load(name)
            if name == "position-embeddings/classification":
                for (task, table_name), value in cells.items():
                    row = (table.task == task) & (table.encoding == table_name)
                    table.loc[row, "value"] = value
            return table

        monkeypatch.setattr(published, "load", filled)

    return write


def of(leads: dict[str, float]) -> Lead:
    """Return a lead that does not depend on length."""
    return lambda name, words: leads.get(name, 0.0)


FIRST = of({"sinusoidal": 0.018, "gpt2": 0.016})


def test_a_small_sure_lead_of_both_is_as_claimed(judged) -> None:
    found = judged("C10", FIRST)
    assert found.status == "same direction"
    assert "4 of 4 comparisons come out as claimed" in found.reason
    assert "3 fine-tuned copies" in found.reason
    assert "roberta-base has no recorded runs" in found.reason
    assert len(found.records) == 6 * 7 * 5


@pytest.mark.parametrize(
    ("leads", "status"),
    [
        ({"sinusoidal": 0.06, "gpt2": 0.06}, "not reproduced"),  # the gaps are not small
        ({"bert": 0.03}, "not reproduced"),
        ({"sinusoidal": 0.018, "gpt2": -0.03}, "not reproduced"),
        ({}, "undecided"),
    ],
)
def test_other_orders_are_not(judged, leads, status) -> None:
    assert judged("C10", of(leads)).status == status


@pytest.mark.parametrize(
    ("short", "long", "status"),
    [(0.08, 0.0, "same direction"), (0.0, 0.08, "not reproduced"), (-0.05, 0.05, "not reproduced")],
)
def test_bert_is_judged_on_short_texts_alone(judged, short, long, status) -> None:
    found = judged("C11", lambda name, words: np.where(words <= 10, short, long) * (name == "bert"))
    assert found.status == status
    assert "Short texts: up to 10 words, in cr, mpqa, mr" in found.reason


@pytest.mark.parametrize(
    ("growth", "status"),
    [
        ({"sinusoidal": 0.06, "gpt2": 0.0, "bert": -0.06}, "same direction"),
        ({"sinusoidal": -0.06, "gpt2": 0.0, "bert": 0.06}, "not reproduced"),
        ({}, "not reproduced"),
    ],
)
def test_the_order_by_length_is_judged_by_slopes(judged, growth, status) -> None:
    def lead(name, words):
        return growth.get(name, 0.0) * np.log(words / 12)

    found = judged("C12", lead)
    if growth:
        assert found.status == status
        assert "paired by set" in found.reason
    else:
        assert found.status in ("not reproduced", "undecided")
    slopes = [item for item in found.figures if item.name.startswith("growth of")]
    assert [item.n for item in slopes] == [7, 7]


@pytest.mark.parametrize("number", ["C10", "C11", "C12"])
def test_too_few_seeds_leave_it_open(judged, number) -> None:
    found = judged(number, FIRST, seeds=4)
    assert found.status == "undecided"
    assert found.reason.startswith("There are runs of 4 seeds, and 5 of each table are needed.")


def test_too_few_sets_leave_the_order_by_length_open(judged) -> None:
    found = judged("C12", lambda name, words: 0.0, tasks=("mr", "trec", "cr"))
    assert found.status == "undecided"
    assert "3 pairs by set cannot give" in found.reason
    assert "Without SST-1, SST-2, SUBJ, MPQA." in found.reason


@pytest.mark.parametrize("number", ["C10", "C11", "C12"])
def test_missing_tables_test_nothing(judged, number) -> None:
    found = judged(number, FIRST, tables=("sinusoidal",))
    assert found.status == "not tested at this scale"
    assert "positions sweep classification --preset gpu" in found.reason
    assert "bert-base-uncased" in found.reason
    assert judged(number, FIRST, tables=()).status == "not tested at this scale"


def test_other_arms_and_the_generated_set_are_no_evidence(judged, provenance) -> None:
    wild = of({"bert": 0.3})
    more = [
        classified(COPIES[0], "generated", 0, wild, provenance),
        classified(COPIES[0], "mr", 0, wild, provenance, frozen=True),
        classified(COPIES[0], "mr", 0, wild, provenance, readout="mean"),
    ]
    plain, found = judged("C10", FIRST), judged("C10", FIRST, more=more)
    assert (found.status, found.reason, found.figures) == (
        plain.status,
        plain.reason,
        plain.figures,
    )


def test_nothing_is_published_until_it_is_filled_in() -> None:
    table = published.load("position-embeddings/classification")
    assert table.value.isna().all() and table.source.isna().all()
    assert set(table.task) == set(SETS)
    assert printed() == {}


def test_published_cells_are_taken_up_when_filled(judged, fill) -> None:
    cells = {("mr", "sinusoidal"): 1.0, ("mr", "gpt2"): 1.0}
    fill(cells)
    assert printed() == {"mr, sinusoidal": 1.0, "mr, gpt2": 1.0}
    far = judged("C10", FIRST)
    assert far.status == "same direction"
    assert "mr, sinusoidal and mr, gpt2 lie outside our 95 % range" in far.reason
    ours = {item.name: item for item in far.figures if item.published is not None}
    assert all(item.n == 5 and item.low < item.ours < item.high for item in ours.values())
    fill({(task, name): ours[f"{task}, {name}"].ours for task, name in cells})
    assert judged("C10", FIRST).status == "reproduced"
    for number in ("C11", "C12"):
        assert "mr, gpt2" in [item.name for item in judged(number, FIRST).figures]


def test_a_published_cell_without_runs_is_shown_alone(judged, fill) -> None:
    fill({("mr", "roberta-base"): 70.0})
    found = judged("C10", FIRST)
    (cell,) = [item for item in found.figures if item.published is not None]
    assert cell == claims.Figure("mr, roberta-base", 70.0)


def test_the_slope_is_that_of_the_model(judged) -> None:
    """A lead that doubles in the odds with each e-fold of length, on one set."""
    from scipy.special import expit, logit

    def lead(name, words):
        rate = BASE["mr"]
        grown = expit(logit(rate) + 0.5 * np.log(words / 12) * (name == "gpt2"))
        return grown - rate

    found = judged("C12", lead, tasks=("mr",), tables=("sinusoidal", "gpt2", COPIES[0]))
    by_name = {item.name: item.ours for item in found.figures}
    assert by_name["growth of gpt2 over bert-base-uncased"] == pytest.approx(0.5, abs=0.2)
    assert by_name["growth of sinusoidal over gpt2"] == pytest.approx(-0.5, abs=0.2)


def test_the_claims_say_what_they_are_about() -> None:
    for number in ("C10", "C11", "C12"):
        claim = claims.get(f"position-embeddings/{number}")
        assert claim.test is not None and claim.published() == {}
