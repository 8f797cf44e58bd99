"""Made-up runs, one call a run, and studies of them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from made_up import provenance
from positions import tasks
from positions.book.pictures.length import study
from positions.experiments.length_generalization import EXPERIMENT, LengthConfig
from positions.experiments.length_generalization.presets import ENCODINGS
from positions.runs import Record

ALL = list(dict.fromkeys(name for name, _ in ENCODINGS))
FIVE = {
    "nope": ("nope", ""),
    "t5": ("t5", ""),
    "alibi": ("alibi", ""),
    "rotary": ("rotary", "fraction=0.25"),
    "sinusoidal": ("sinusoidal", "amplitude=1.0"),
}
SIZES = {
    "train": 200,
    "test": 40,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "dropout": 0.0,
    "steps": 4,
    "batch_size": 8,
    "learning_rate": 1e-3,
    "evaluate_every": 2,
}


def run(
    task: str,
    encoding: str,
    options: str = "",
    seed: int = 0,
    within: float | None = 1.0,
    beyond: float | None = 0.5,
    last: float | None = None,
    **settings: Any,
) -> Record:
    """Make a record whose accuracy is the same at all lengths within, and at all beyond."""
    given = {**SIZES, "longest": 4, "test_longest": 8, **settings}
    config = LengthConfig(
        task=task, encoding=encoding, encoding_options=options, seed=seed, **given
    )
    task_ = config.build_task()
    metrics = {
        "chance": task_.chance,
        "parameters": 150_000,
        "steps_done": 4,
        "steps_per_second": 1.0,
        "best_step": 4,
        "iid_best": within,
        "ood_best": beyond,
        "iid_last": within,
        "ood_last": beyond if last is None else last,
    }
    short, long = list(task_.training_lengths), list(task_.test_lengths)
    accuracy = [within] * len(short) + [beyond] * len(long)
    series = {"length": short + long, "count": [10] * len(accuracy), "step": [2, 4]}
    series |= {"accuracy_best": accuracy, "accuracy_last": accuracy}
    diverged = within is None
    return Record(
        key=EXPERIMENT.key(config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics={**metrics, "ood_last": None} if diverged else metrics,
        series={"step": [2, 4]} if diverged else series,
        status="diverged" if diverged else "ok",
        provenance=provenance(seconds=1800.0),
    )


def grid(
    beyond: dict[str, float], names: Iterable[str] = (), seeds: int = 2, **settings: Any
) -> list[Record]:
    """Make the paper's five on these tasks (none: all), each encoding equally good everywhere."""
    return [
        run(task, *FIVE[variant], seed=seed, beyond=value, **settings)
        for task in names or tasks.names()
        for variant, value in beyond.items()
        for seed in range(seeds)
    ]


def look(
    records: list[Record], encodings: Iterable[str] = ALL, names: Iterable[str] = ()
) -> study.Study:
    """Choose from records as the chapter does."""
    return study.choose(records, "laptop", encodings, names)


AS_PUBLISHED = {"nope": 0.9, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}


@pytest.fixture(scope="session", name="run")
def run_() -> Callable[..., Record]:
    """Return the function that makes one run."""
    return run


@pytest.fixture(scope="session", name="grid")
def grid_() -> Callable[..., list[Record]]:
    """Return the function that makes runs of the paper's five encodings."""
    return grid


@pytest.fixture(scope="session", name="look")
def look_() -> Callable[..., study.Study]:
    """Return the function that makes a study of records."""
    return look


@pytest.fixture(scope="session")
def as_published() -> list[Record]:
    """Runs of all tasks in which the encodings stand in the published order."""
    return grid(AS_PUBLISHED)
