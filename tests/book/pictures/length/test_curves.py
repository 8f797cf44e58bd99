import json

import pytest

from positions import tasks
from positions.book.pictures.length import curves
from positions.experiments.length_generalization import EXPERIMENT


def rows(picture):
    return [row for data in picture.chart.to_dict()["datasets"].values() for row in data if row]


def test_each_curve_is_what_the_runs_have(look, run):
    records = [
        run("parity", "nope", seed=seed, beyond=value) for seed, value in ((0, 0.4), (1, 0.8))
    ]
    found = curves.by_seed(look(records, ["nope"]))
    long = found[found["length"] > 4]
    assert long["mean"].tolist() == pytest.approx([0.6] * 4)
    assert long["low"].tolist() == pytest.approx([0.4] * 4)
    assert long["high"].tolist() == pytest.approx([0.8] * 4)


def test_lengths_that_only_some_seeds_have_are_means_of_those(look, run):
    first, second = run("parity", "nope", seed=0), run("parity", "nope", seed=1, beyond=0.9)
    cut = {name: values[:-1] for name, values in second.series.items() if name != "step"}
    second = second.model_copy(update={"series": cut})
    found = curves.by_seed(look([first, second], ["nope"])).set_index("length")["mean"]
    assert found[8] == 0.5 and found[7] == pytest.approx(0.7)


def test_ours_and_published_share_an_axis_where_lengths_differ(look, run):
    packed = rows(curves.chart(look([run("parity", "nope")], ["nope"], ["parity"])))
    longest = {row["whose"]: row["longest"] for row in packed}
    assert longest == {"ours": 4, "published": 8}
    assert all(max(row["length"]) == 2 * row["longest"] for row in packed)


def test_what_is_not_learned_is_marked(look, run):
    records = [run("parity", "nope", within=0.5), run("lego", "nope")]
    packed = rows(curves.chart(look(records, ["nope"], ["parity", "lego"])))
    learned = {row["task"]: row["learned"] for row in packed if row["whose"] == "ours"}
    assert learned == {"parity": False, "lego": True}


def test_the_whole_grid_stays_light_and_every_choice_has_data(look, run):
    records = [
        run(
            each.task,
            each.encoding,
            each.encoding_options,
            each.seed,
            beyond=0.123 * (each.seed + 1),
            longest=tasks.build(each.task).longest,
            test_longest=tasks.build(each.task).test_lengths[-1],
        )
        for each in EXPERIMENT.configs("gpu")
    ]
    picture = curves.chart(look(records))
    spec = picture.chart.to_dict()
    assert len(json.dumps(spec)) < 300_000
    packed = rows(picture)
    options = {each["name"]: each["bind"]["options"] for each in spec["params"]}
    assert set(options["curves_task"]) == {row["task"] for row in packed}
    assert set(options["curves_encoding"]) == {"all", *(row["variant"] for row in packed)}
    assert {row["whose"] for row in packed} == {"ours", "published"}


def test_without_runs_the_published_curves_stand_alone(look):
    picture = curves.chart(look([], ["nope", "learned"]))
    assert {row["whose"] for row in rows(picture)} == {"published"}
    assert list(picture.numbers) == ["task", "length", "nope"]
