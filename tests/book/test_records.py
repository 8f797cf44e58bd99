"""Recorded runs for chapters: real ones as they are, smoke ones made and kept apart."""

from pathlib import Path

import pytest

from positions import experiments
from positions.book.records import incomplete, recorded
from positions.errors import PositionsError
from positions.experiments import Config, Experiment, Outcome
from positions.runs import Store, run_missing


class Numbers(Config):
    """One number."""

    number: int


def double(config: Numbers) -> Outcome:
    if config.number < 0:
        raise ValueError("no luck")
    return Outcome(metrics={"double": 2.0 * config.number})


@pytest.fixture
def doubles(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    experiment = Experiment(
        name="doubles",
        version=1,
        title="Doubles",
        config=Numbers,
        run=double,
        presets={
            "smoke": lambda: [Numbers(number=1), Numbers(number=2)],
            "laptop": lambda: [Numbers(number=3)],
        },
    )
    monkeypatch.setattr(experiments, "get", lambda name: experiment)
    return experiment


def test_smoke_runs_are_made_and_kept_out_of_the_results(
    project: Path, doubles: Experiment
) -> None:
    for _ in range(2):
        found = {record.metrics["double"] for record in recorded("doubles", "smoke")}
        assert found == {2.0, 4.0}
    assert not (project / "results").exists()


def test_real_runs_are_never_made_here(project: Path, doubles: Experiment) -> None:
    assert recorded("doubles", "laptop") == []
    run_missing(doubles, doubles.configs("laptop"), Store(), "laptop", jobs=0, progress=False)
    assert [record.metrics["double"] for record in recorded("doubles", "laptop")] == [6.0]


def test_a_smoke_run_that_fails_is_told(
    project: Path, doubles: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(doubles.presets, "smoke", lambda: [Numbers(number=-1)])
    with pytest.raises(PositionsError, match="no luck"):
        recorded("doubles", "smoke")


def test_old_smoke_runs_are_left_aside(
    project: Path, doubles: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded("doubles", "smoke")
    monkeypatch.setitem(doubles.presets, "smoke", lambda: [Numbers(number=5)])
    assert [record.metrics["double"] for record in recorded("doubles", "smoke")] == [10.0]


def test_a_note_counts_what_lacks_and_says_how_to_make_it(
    project: Path, doubles: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_missing(doubles, doubles.configs("laptop"), Store(), "laptop", jobs=0, progress=False)
    found = recorded("doubles", "laptop")
    assert incomplete(found, "doubles", "laptop", "number").data == ""
    monkeypatch.setitem(
        doubles.presets, "laptop", lambda: [Numbers(number=number) for number in (3, 4)]
    )
    text = incomplete(found, "doubles", "laptop", "number").data
    assert "Missing: 1 run of this preset. Everything below rests on the 1 that is there." in text
    assert "<code>positions sweep doubles --preset laptop</code> makes it." in text
    assert "<li>number 4: 1 of 1 run</li>" in text
    assert incomplete(found, "doubles", "laptop", "number", apart=["number"]).data == ""
    assert incomplete([], "doubles", "laptop", "number").data == ""  # recorded has said so
