"""Recorded runs for chapters: real ones as they are, smoke ones made and kept apart."""

from pathlib import Path

import pytest

from positions import experiments
from positions.book.records import recorded
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
