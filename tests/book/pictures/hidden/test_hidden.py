"""Pictures of hidden states: what is drawn and said of made-up runs, and of none."""

from __future__ import annotations

from typing import Any

import pytest

from made_up import provenance
from positions.book.pictures.hidden import layers, live, places, pretrained, study
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.hidden_states import EXPERIMENT
from positions.runs import Record

ALL = ("nope", "sinusoidal", "learned", "t5", "alibi", "rotary")


def run(config: Any, status: str = "ok") -> Record:
    """Make a record: knowing nothing costs 32; a layer halves the error when trained."""
    worst = 32.0 if config.encoding == "nope" else 16.0
    untrained = [worst - layer + config.seed for layer in range(config.layers + 1)]
    trained = [worst / 2**layer + config.seed for layer in range(config.layers + 1)]
    positions = list(range(1, config.context))
    series: dict[str, list[Any]] = {"layer": list(range(config.layers + 1)), "position": positions}
    states = {"untrained": untrained} | ({"trained": trained} if status == "ok" else {})
    for state, errors in states.items():
        series[f"error_{state}"] = errors
        series[f"rank_{state}"] = [0.5] * len(errors)
        series[f"predicted_{state}"] = [place + 1.5 for place in positions]
        series[f"spread_{state}"] = [2.0] * len(positions)
    return Record(
        key=EXPERIMENT.key(config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics={"guess": 32.0, "texts": 240, "train_places": 8_000, "test_places": 7_000},
        series=series,
        status=status,
        provenance=provenance(seconds=60.0),
    )


def whole(**keep: Any) -> list[Record]:
    return [
        run(config)
        for config in EXPERIMENT.configs("laptop")
        if all(getattr(config, name) == value for name, value in keep.items())
    ]


def test_errors_are_means_over_seeds_with_their_interval() -> None:
    runs = study.choose(whole(), "laptop", ALL)
    table = layers.over_seeds(runs.layers).set_index(["variant", "state", "layer"])
    assert table.loc[("nope", "trained", 4), "mean"] == pytest.approx(32 / 16 + 1)
    assert table.loc[("t5", "untrained", 4), "mean"] == pytest.approx(16 - 4 + 1)
    assert (table["seeds"] == 3).all()
    assert (table["low"] < table["mean"]).all() and (table["mean"] < table["high"]).all()


def test_what_is_said_names_best_layers_and_the_guess() -> None:
    runs = study.choose(whole(), "laptop", ["nope", "alibi"])
    said = layers.said(runs)
    assert "After training the probe is off, in its best layer, by: NoPE 3.0 (layer 4)" in said
    assert "Knowing nothing costs 32.0 positions." in said
    assert "falls from 33.0 at the embedded tokens to 29.0 in layer 4" in (
        layers.without_encoding(runs)
    )
    assert layers.changed(runs).endswith("than before with 0 of 2 encodings.")
    assert "No run of NoPE" in layers.without_encoding(study.choose(whole(), "laptop", ["t5"]))
    assert "NoPE 1.5, 1.5, 1.5; ALiBi 1.5, 1.5, 1.5" in places.said(runs)


def test_one_seed_draws_without_an_interval() -> None:
    runs = study.choose(whole(seed=0), "laptop", ["nope", "t5"])
    table = layers.over_seeds(runs.layers)
    assert (table["low"] == table["mean"]).all()
    for picture in (layers.chart(runs), places.chart(runs)):
        assert isinstance(picture, Picture) and picture.chart.to_dict()
    assert "2 runs of 2 encodings with 1 seed" in study.summary(runs)


def test_a_run_that_diverged_counts_before_training_only() -> None:
    configs = EXPERIMENT.configs("laptop")[:2]
    runs = study.choose([run(configs[0]), run(configs[1], "diverged")], "laptop", ALL)
    states = runs.layers.groupby("variant")["state"].unique()
    assert list(states["nope"]) == ["untrained", "trained"]
    assert list(states["sinusoidal"]) == ["untrained"]
    assert layers.chart(runs).chart.to_dict()
    assert "sinusoid" not in layers.said(runs).split("After training")[1]


def test_without_records_nothing_is_drawn_and_nothing_asserted() -> None:
    runs = study.choose([], "laptop", ALL)
    assert isinstance(layers.chart(runs), Note) and isinstance(places.chart(runs), Note)
    assert layers.said(runs) == places.said(runs) == study.summary(runs) == study.NOTHING
    assert layers.changed(runs) == study.NOTHING


def test_two_runs_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="Two runs of nope, 0"):
        study.choose([*whole(seed=0), *whole(seed=0)], "laptop", ["nope"])


def test_models_read_on_the_page() -> None:
    read = live.watch(["nope", "sinusoidal"], 3)
    assert [each.variant for each in read] == ["nope", "sinusoidal"]
    assert set(read[0].layers["state"]) == {"untrained", "trained"}
    assert live.chart(read).chart.to_dict()
    assert "The sinusoid: off by" in live.said(read)
    with pytest.raises(UnknownNameError, match="nothing"):
        live.config("nothing", 3)


def test_no_model_and_a_model_that_cannot_be_had(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    none = pretrained.chart(*pretrained.read([]))
    assert isinstance(none, Note) and "-p pretrained" in none.text
    table, reasons = pretrained.read([str(tmp_path / "no-model")])
    assert not len(table) and "cannot be loaded" in reasons[0]
    assert "cannot be loaded" in pretrained.chart(table, reasons).text
