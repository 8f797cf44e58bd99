"""Charts and sentences: what they show follows from the runs, and empty ones say so."""

import json

import pytest

from positions import published
from positions.book import charts
from positions.book.pictures.classification import arms, gaps, length, order, scores
from positions.book.pictures.note import Note
from positions.experiments.classification.presets import COPIES
from positions.experiments.classification.readings import FROZEN, PREPARATIONS, READOUTS

DRAWN = [
    scores.chart,
    gaps.chart,
    length.chart,
    lambda study: arms.chart(study, READOUTS, "readouts_set"),
    lambda study: arms.chart(study, [FROZEN], "frozen_set"),
    lambda study: arms.chart(study, PREPARATIONS, "prepared_set"),
]
TABLES = [
    scores.cells,
    scores.optimism,
    length.halves,
    order.disturbed,
    order.bag_of_words,
    arms.kept,
]
SAID = [
    scores.said,
    gaps.said,
    length.said,
    order.said,
    arms.unstable,
    lambda study: arms.ranking(study, READOUTS),
    lambda study: arms.freed(study, FROZEN),
]


@pytest.mark.parametrize("draw", DRAWN)
def test_drawn_within_limits_and_with_numbers(draw, chosen) -> None:
    picture = draw(chosen())
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert len(json.dumps(shown["application/vnd.vegalite.v6+json"])) < 200_000
    assert len(picture.numbers)


@pytest.mark.parametrize("draw", DRAWN)
def test_drawn_with_one_seed_or_not_at_all(draw, chosen, one) -> None:
    few = [one(table) for table in ("sinusoidal", "gpt2")]
    for found in ([], [one("zeros")], few, [one("zeros", "generated")]):
        picture = draw(chosen(found))
        if not isinstance(picture, Note):
            charts.figure(picture.chart, description=picture.description, data=picture.numbers)
            assert found
    assert isinstance(draw(chosen([])), Note)


@pytest.mark.parametrize("say", SAID)
def test_every_sentence_can_be_said_of_nothing_and_of_part(say, chosen, one) -> None:
    part = [one("sinusoidal"), one("gpt2"), one("zeros", frozen=True)]
    for found in ([], [one("zeros")], part, [one("gpt2", "generated")], None):
        said = say(chosen(found))
        assert said.endswith(".") and "nan" not in said


@pytest.mark.parametrize("make", TABLES)
def test_every_table_can_be_made_of_nothing_and_of_part(make, chosen, one) -> None:
    for found in ([], [one("sinusoidal"), one("gpt2")], [one("zeros", "generated")]):
        assert not make(chosen(found)).isna().any(axis=None)
    assert len(make(chosen()))


def test_names_of_parameters_are_used_once(chosen) -> None:
    names = []
    for draw in DRAWN:
        spec = draw(chosen()).chart.to_dict()
        names += [each["name"] for each in spec.get("params", [])]
    assert len(names) == len(set(names)) >= 6


# What is said.


def test_the_order_of_tables_and_the_distance_of_first_and_last(chosen) -> None:
    said = scores.said(chosen())
    assert "in the mean of 2 sets and in percent: sinusoid 8" in said
    assert said.index("sinusoid") < said.index("random") < said.index("zeros")


def test_cells_hold_the_mean_and_half_the_interval(chosen) -> None:
    cells = scores.cells(chosen())
    assert list(cells.columns) == ["MR", "TREC", "mean of the sets"]
    assert list(cells.index)[:3] == ["random", "zeros", "sinusoid"]
    assert " ± " in cells.loc["GPT-2", "MR"]


def test_the_generated_set_is_in_no_table_of_the_sets(chosen) -> None:
    study = chosen()
    assert "generated" not in set(scores.table(study).task)
    assert "generated" not in set(gaps.table(study).task)
    assert "generated" not in set(length.table(study).task)
    assert "generated" not in set(arms.table(study, READOUTS).task)


def test_reported_scores_are_held_against_honest_ones(chosen) -> None:
    found = scores.optimism(chosen())
    assert list(found.index) == ["MR"]  # TREC has a test part
    assert found.loc["MR", "difference"] == "+2.0 (+2.0 to +2.0)"
    assert found.loc["MR", "runs"] == 7 * 3


def test_published_cells_are_drawn_and_listed_when_filled(chosen, monkeypatch) -> None:
    load = published.load

    def filled(name):
        table = load(name)
        if name == "position-embeddings/classification":
            known = table.task.isin(["mr", "cr"]) & table.encoding.isin(["gpt2", "roberta-base"])
            table.loc[known, "value"] = 77.7
        return table

    assert not any("published" in name for name in scores.cells(chosen()).index)
    monkeypatch.setattr(published, "load", filled)
    cells = scores.cells(chosen())
    assert cells.loc["GPT-2, published", "MR"] == "77.7"
    assert cells.loc["RoBERTa, published", "CR"] == "77.7"
    assert list(cells.index).index("GPT-2, published") == list(cells.index).index("GPT-2") + 1
    picture = scores.chart(chosen())
    assert 77.7 in set(picture.numbers.published)
    assert '"figure": "published"' in json.dumps(picture.chart.to_dict())


def test_comparisons_are_corrected_together_and_told_by_name(chosen) -> None:
    found = gaps.table(chosen())
    assert set(found.other) == {"random", "zeros", "gpt2", *COPIES}
    assert (found.corrected >= found.p).all()
    zeros = found[found.other == "zeros"]
    assert (zeros.gap > 8).all() and (zeros.low > 0).all() and (zeros.corrected < 0.05).all()
    said = gaps.said(chosen())
    assert "Of 12 comparisons" in said and "; zeros on MR and TREC" in said


def test_texts_of_a_given_test_count_once_however_many_seeds_read_them(chosen) -> None:
    found = gaps.table(chosen()).set_index(["task", "other"])
    assert found.loc[("trec", "zeros"), "texts"] == 200
    assert found.loc[("mr", "zeros"), "texts"] == 600
    assert found.loc[("trec", "zeros"), "seeds"] == 3


def test_a_lead_that_grows_with_length_is_found(chosen) -> None:
    found = length.table(chosen()).set_index(["task", "pair"])
    slope = found.loc[("mr", "sinusoid over BERT copies")]
    assert slope.low > 0 and slope.texts <= 600
    halves = length.halves(chosen())
    short, long = (
        float(halves.loc["MR", name].split()[0]) for name in ("shorter half", "longer half")
    )
    assert long > short


def test_what_shuffling_and_moving_cost(chosen) -> None:
    found = order.disturbed(chosen())
    assert found.loc["GPT-2", "mean of the sets: words shuffled"] == "-1.0 (-1.0 to -1.0)"
    assert found.loc["GPT-2", "generated language: positions moved on"].startswith("-20.0")
    said = order.said(chosen())
    assert "sinusoid +1" in said and "zeros" not in said.split(":")[1]
    assert "zeros, frozen" in order.bag_of_words(chosen()).index


def test_arms_and_what_is_kept(chosen) -> None:
    ranks = arms.ranking(chosen(), READOUTS)
    assert "*as in the paper*: sinusoid" in ranks and "*mean of the words*: sinusoid" in ranks
    assert arms.kept(chosen()).loc["GPT-2", "correlation with its start"] == "0.900"
    assert "zeros" not in arms.kept(chosen()).index
    assert "MR 3.0 and TREC 3.0" in arms.unstable(chosen())
    assert "zeros" not in arms.freed(chosen(), FROZEN)
