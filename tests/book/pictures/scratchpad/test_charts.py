"""Charts and sentences: what they show follows from the runs, and empty ones say so."""

import json

import pandas as pd
import pytest

from positions import claims, published
from positions.book import charts
from positions.book.pictures.note import Note
from positions.book.pictures.scratchpad import (
    conclusion,
    failures,
    gains,
    operands,
    paper,
    ranks,
    results,
)
from positions.experiments.scratchpad.readings import MERGED, label
from positions.runs import Store

DRAWN = {
    "results": results.chart,
    "gains": gains.chart,
    "ranks": ranks.chart,
    "operands": operands.chart,
    "failures": failures.chart,
}
SENTENCES = [
    gains.helped,
    gains.costs,
    ranks.first,
    ranks.compared,
    operands.said,
]
STATES = ["nothing", "one", "diverged", "nothing learned", "first formats", "some", "all"]


@pytest.fixture(scope="module", params=STATES)
def state(request):
    return request.param


@pytest.fixture(scope="module")
def found(state, look, run, records):
    if state == "all":
        return look()
    if state == "some":
        return look(encodings=["t5", "nope"], tasks=["sort_multi", "lego"])
    few = {
        "nothing": [],
        "one": [run("addition", "minimal")],
        "diverged": [run(within=None, beyond=None)],
        "nothing learned": records(["parity"], seeds=1, within=0.2),
        "first formats": records(["parity"], 1, forms=lambda task: ("none", "minimal", "full")),
    }
    return look(few[state])


@pytest.mark.parametrize("name", DRAWN)
def test_pictures(name, found) -> None:
    picture = DRAWN[name](found)
    if isinstance(picture, Note):
        assert picture.text.endswith(".")
        return
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert len(json.dumps(shown["application/vnd.vegalite.v6+json"])) < 300_000
    assert len(picture.numbers)


@pytest.mark.parametrize("say", SENTENCES, ids=lambda say: f"{say.__module__}.{say.__name__}")
def test_sentences(say, found) -> None:
    said = say(found)
    assert said.endswith(".")
    assert "nan" not in said


def test_tables_and_conclusion_of_every_state(found) -> None:
    assert list(ranks.by_encoding(found).index) == found.variants
    assert list(ranks.by_task(found).index) == list(found.tasks)
    assert len(gains.counts(found))
    assert "nan" not in ranks.by_encoding(found).to_string()
    assert list(ranks.encodings(found).index) == found.variants
    claim = claims.get("length-generalization/C14")
    judged = claims.judge_one(claim, claims.Evidence(Store(), "smoke"))
    assert conclusion.said(found, [judged]).count("\n") == 2


def test_names_of_parameters_are_used_once(look) -> None:
    names = []
    for draw in DRAWN.values():
        spec = draw(look()).chart.to_dict()
        names += [each["name"] for each in spec.get("params", [])]
    assert len(names) == len(set(names)) == 5


# What is shown.


def test_both_formats_stand_beside_the_published_mean_of_both(look) -> None:
    rows = results.table(look()).query("task == 'lego' and variant == 'nope'")
    ours = rows[rows["whose"] == "ours"].set_index("format")["accuracy"]
    assert ours[MERGED] == pytest.approx((ours["full-I"] + ours["full-C"]) / 2)
    theirs = rows[rows["whose"] == "published"].set_index("format")["accuracy"]
    assert theirs[MERGED] == pytest.approx(0.5519)
    assert "full-I" not in theirs


def test_the_chart_shows_recorded_tasks_first(look) -> None:
    spec = results.chart(look(tasks=["summation", "lego"])).chart.to_dict()
    (pick,) = [each for each in spec["params"] if each["name"] == "results_task"]
    assert pick["value"] == "lego"


def test_gains_are_those_of_the_best_format(look) -> None:
    rows = gains.table(look()).set_index(["whose", "task", "variant"])
    assert rows.loc[("ours", "addition", "nope"), "gain"] == pytest.approx(0.395)
    assert rows.loc[("ours", "lego", "t5"), "gain"] == pytest.approx(-0.395)
    assert rows.loc[("published", "addition", "nope"), "gain"] == pytest.approx(0.1885 - 0.0845)
    counts = gains.counts(look())
    assert counts["ours"].loc[["addition", "parity"]].to_numpy().tolist() == [
        ["5 of 5", "0 of 5"],
        ["0 of 5", "5 of 5"],
    ]
    assert counts.loc["summation"].tolist() == ["none", "none", "1 of 5", "0 of 5"]
    assert "in our runs it helps all encodings on `addition` of 3 tasks" in gains.helped(look())


def test_with_one_seed_the_best_is_chosen_in_it(look, records) -> None:
    rows = gains.table(look(records(["addition"], seeds=1)))
    ours = rows[rows["whose"] == "ours"]
    assert ours["gain"].tolist() == pytest.approx([0.4] * 5)
    assert ours["low"].isna().all()


# Ranks.


def test_published_ranks_are_those_of_the_figures() -> None:
    found = paper.ranks().set_index(["within", "format"])["mean"]
    assert found["addition", "full-V"] == pytest.approx(0.5156)
    assert found["nope", "minimal"] == pytest.approx(0.3675)
    assert found["sort_multi", "none"] == pytest.approx(0.9)
    assert len(found) == len(found.index.unique())


def test_the_figure_on_sorting_is_of_numbers_with_several_digits() -> None:
    """Single symbols have no scratchpad above none in any encoding: the rank would be 1."""
    table = published.load("length-generalization/scratchpad_ood_accuracy")
    best = table.pivot_table(index=["task", "pe"], columns="scratchpad", values="accuracy")
    first = best["none"] > best.drop(columns="none").max(axis=1)
    assert first["sort_single"].all()
    assert not first["sort_multi"].all()


def test_formats_are_ranked_within_tasks_and_encodings(look) -> None:
    rows = ranks.table(look()).set_index(["within", "figure", "format"])
    assert rows.loc[("addition", "ours", "minimal"), "mean"] == 1
    assert rows.loc[("addition", "ours", "minimal"), "queries"] == 10
    assert rows.loc[("lego", "ours", "none"), "mean"] == 1
    # the encodings' queries are those of the tasks that have all formats: addition and parity
    assert rows.loc[("nope", "ours", "none"), "queries"] == 4
    assert rows.loc[("nope", "ours", "none"), "mean"] == pytest.approx((1 + 1 / 5) / 2)
    first = ranks.by_task(look()).loc["addition"]
    assert first.tolist() == ["minimal 1.00", "without variable 0.52"]


def test_few_formats_are_ranked_beside_the_published_means_of_the_same(look, records) -> None:
    part = records(["parity"], forms=lambda task: ("none", "minimal", "full"))
    rows = ranks.table(look(part)).query("within == 'parity'").set_index(["figure", "format"])
    assert set(rows.loc["ours"].index) == {"none", "minimal", "full"}
    same = rows.loc["published means, same formats"]
    assert same.loc["none", "mean"] == 1
    assert same.loc["none", "queries"] == 5


def test_encodings_are_ranked_over_all_formats(look) -> None:
    table = ranks.encodings(look())
    assert table.loc["nope"].tolist() == ["0.33", "0.63", "0.69"]  # all alike: rank 3 of 5
    assert ranks.compared(look()) == "Ours: 46 queries; the paper's: 173 and 51."


# Operands.


def test_published_operands_are_means_over_seeds() -> None:
    cell = paper.operands().set_index(["variant", "a", "b"]).loc[("rotary", 9, 9)]
    assert cell["seeds"] == 1
    every = paper.operands()
    assert len(every) == 5 * 256


def test_our_operands_are_those_of_the_categories(look) -> None:
    table = operands.ours(look()).query("variant == 'nope'")
    assert table[["a", "b"]].to_numpy().tolist()[:2] == [[1, 1], [1, 2]]
    assert table["seeds"].tolist() == [2, 2, 2]
    assert operands.ours(look([])).empty


def test_how_far_addition_goes_without_and_with_scratchpad(look) -> None:
    said = operands.said(look())
    assert "NoPE 9 and 10, the sinusoid 8 and 9, T5's bias 9 and 10" in said
    table = operands.table(look())
    assert list(table) == ["9 digits", "10 digits", "11 digits"]
    assert table.loc["nope", "10 digits"] == "0.12 → 0.72"
    assert operands.said(look(encodings=["learned"])).startswith("The paper has no figures")
    assert operands.table(look(encodings=["learned"])).empty


def test_what_costs_most_is_named(look) -> None:
    assert "Rotary on `sort_multi` (-0.45)" in gains.costs(look())


# Failures.


def test_shares_of_faults_are_of_all_texts(look) -> None:
    rows = failures.table(look()).set_index(["task", "format", "variant", "fault"])["share"]
    rows = rows.sort_index()
    nope = rows["parity", "full", "nope"]
    assert nope.to_dict() == {"nothing": 0.6, "input": 0.3, "missing": 0.1}
    assert "none" not in rows.index.get_level_values("format")


def test_late_steps_are_told_apart(look) -> None:
    assert failures.first(look()).loc["parity"].tolist() == ["100%", "0%", "0%", "25%"]
    assert "No failure in the format full" in failures.first(look([])).data


def test_a_recorded_failure_is_shown_step_by_step(look, run) -> None:
    shown = failures.recorded(look([run()])).data
    assert "<summary>parity, full, NoPE, seed 0</summary>" in shown
    assert shown.count("<tr><td>") == 2
    assert "<mark><code>in 1</code></mark>" in shown
    assert "<code>out 0</code></mark>" in shown
    assert "should be: <code>in 0 comp 0 ** par = 0 ** 1 out 1 [ par: 1 ] re [ ]</code>" in shown
    assert "&lt;b&gt;" in shown and "<b>" not in shown
    assert "The answer is Yes." in shown


def test_no_recorded_failure_is_said(look) -> None:
    assert "No scratchpad" in failures.recorded(look([])).data


def test_labels_stand_for_all_formats_in_charts(look) -> None:
    picture = ranks.chart(look())
    assert {label("none"), label("full-V"), label(MERGED)} <= set(picture.numbers["format"])


def test_first_faults_are_of_the_place_the_reckoning_or_the_form() -> None:
    assert {name for names in failures.KINDS.values() for name in names} | {failures.RIGHT} == set(
        failures.FAULTS
    )
    counts = pd.Series({"input": 2.0, "extra": 1.0, "computation": 1.0})
    assert failures.kinds(counts) == "the place 75%, the reckoning 25%"
