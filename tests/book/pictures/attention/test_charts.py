"""Charts and sentences: what they show follows from the runs, and empty ones say so."""

import json

import pytest

from positions import published
from positions.book import charts
from positions.book.pictures.attention import apart, distances, metric, profile
from positions.book.pictures.note import Note

DRAWN = [apart.chart, profile.by_layer, profile.by_length, distances.chart]


@pytest.mark.parametrize("draw", DRAWN)
def test_drawn_within_limits_and_with_numbers(draw, chosen) -> None:
    picture = draw(chosen())
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert len(json.dumps(shown["application/vnd.vegalite.v6+json"])) < 300_000
    assert len(picture.numbers)


@pytest.mark.parametrize("draw", DRAWN)
@pytest.mark.parametrize("task", ["scan", "addition"])
def test_drawn_with_part_of_the_runs(draw, task, chosen, one) -> None:
    picture = draw(chosen([one("t5", task)]))
    if draw is distances.chart and task == "scan":  # it shows addition alone
        assert isinstance(picture, Note)
        return
    assert not isinstance(picture, Note)
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)


@pytest.mark.parametrize("draw", DRAWN)
def test_nothing_recorded_is_a_note(draw, chosen) -> None:
    assert isinstance(draw(chosen([])), Note)


@pytest.mark.parametrize(
    "say",
    [
        apart.order,
        apart.t5_beside_nope,
        apart.forms,
        apart.seeds,
        apart.of_one_kind,
        profile.layers,
        profile.lengths,
        distances.said,
    ],
)
def test_every_sentence_can_be_said_of_nothing_and_of_part(say, chosen, one) -> None:
    for study in (chosen([]), chosen([one("t5")]), chosen([one("nope", "addition")])):
        said = say(study)
        assert said.endswith(".") and "nan" not in said


def test_names_of_parameters_are_used_once(chosen) -> None:
    names = []
    for draw in DRAWN:
        spec = draw(chosen()).chart.to_dict()
        names += [each["name"] for each in spec.get("params", [])]
    assert len(names) == len(set(names)) >= 6


# What is said.


def test_the_order_of_encodings(chosen) -> None:
    said = apart.order(chosen())
    # the mean of lengths at once and twice the divergence, over three seeds
    assert "in nats: T5's bias 0.150, ALiBi 0.300, the sinusoid 0.450 and Rotary 0.600." in said
    assert "Two NoPEs that differ in their seed are 0.150 apart." in said


@pytest.mark.parametrize(("nats", "words"), [(0.2, "surely farther"), (0.05, "surely nearer")])
def test_t5_is_compared_with_nope_by_seed(nats, words, chosen, one) -> None:
    nope = [one("nope", seed=seed) for seed in range(7)]
    t5 = [one("t5", seed=seed, apart=nats) for seed in range(7)]
    assert f"T5's bias is {words}" in apart.t5_beside_nope(chosen([*nope, *t5]))
    assert "is not surely farther" in apart.t5_beside_nope(chosen([*nope[:3], *t5[:3]]))


def test_the_same_seed_is_told_beside_another(chosen) -> None:
    assert "ALiBi 0.150 and 0.300" in apart.seeds(chosen())


def test_farther_from_nope_than_from_its_twin(chosen) -> None:
    said = apart.of_one_kind(chosen())
    assert said.endswith("are ALiBi, the sinusoid and Rotary.")


def test_forms_give_an_order_each(chosen) -> None:
    said = apart.forms(chosen())
    assert said.count("T5's bias, ALiBi, the sinusoid, Rotary") == 4


def test_published_layers_are_counted(chosen) -> None:
    said = profile.layers(chosen())
    assert "Of the paper's 12 layers, T5's bias is nearer than ALiBi in 12" in said
    assert "ALiBi is nearer than the sinusoid in 9 and Rotary is farthest in 12." in said
    assert "Of our 3, in the mean over seeds, T5's bias is nearer than ALiBi in 3" in said


def test_lengths_beyond_training_are_apart_from_those_within(chosen) -> None:
    assert "ALiBi 0.200 and 0.400" in profile.lengths(chosen())


def test_published_means_are_those_of_the_paper() -> None:
    found = apart.printed()
    expected = {"nope": 0.265, "t5": 0.263, "alibi": 0.490, "sinusoidal": 0.719, "rotary": 0.987}
    assert found == pytest.approx(expected, abs=2e-3)
    assert set(profile.printed("layer")["layer"]) == {*range(1, 13)}
    assert profile.printed("length")["length"].max() == 48


def test_nopes_line_is_between_two_nopes(chosen) -> None:
    table = profile.table(chosen(), "layer")
    nope = table[(table["variant"] == "nope") & (table["form"] == "closest")]
    assert nope["mean"].to_numpy() == pytest.approx(0.15)


# Distances.


def test_near_and_far_beside_the_published_and_the_even_head(chosen) -> None:
    table = distances.near_and_far(chosen())
    assert table.loc["alibi", "near"].tolist() == ["0.90", "0.82", "0.10"]
    assert table.loc["alibi", ("far", "ours, all attention")] == "0.19"
    assert table.loc["even head", "near"].tolist() == ["0.10", "none", "0.10"]
    assert distances.near_and_far(chosen([])).empty


def test_who_looks_more_near_and_far(chosen) -> None:
    said = distances.said(chosen())
    assert "NoPE, the sinusoid, T5's bias and Rotary look more near and more far" in said
    assert "ALiBi looks more near and less far" in said


def test_shares_by_distance_are_means_over_layers(chosen) -> None:
    table = distances.table(chosen())
    whole = table.query("layer == 'all' and count == 'most_attended' and variant == 'alibi'")
    assert whole[whole["distance"] == 0]["mean"].tolist() == pytest.approx([0.9])
    assert set(table["layer"]) == {"all", "1", "2", "3"}


# The metric.


def test_both_forms_of_two_rows() -> None:
    table = metric.table((0.5, 1e-6))
    assert table.loc["0.5 left"].tolist() == [0, 0]
    assert table.loc["1e-06 left"].tolist() == pytest.approx([0.693, 6.215])
    picture = metric.chart()
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)


def test_published_divergences_above_the_bound_are_counted() -> None:
    rows = published.load("length-generalization/attention_divergence_scan")
    by_layer = rows[rows["kind"] == "per_layer"]["mean_min_divergence_digitised"]
    assert f"{len(by_layer):,}" in metric.above_the_bound()
    assert f"{int((by_layer > 0.6931472).sum()):,} lie above 0.69" in metric.above_the_bound()
