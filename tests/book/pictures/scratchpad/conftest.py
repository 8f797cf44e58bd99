"""Made-up runs of the scratchpad experiment, and studies of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from made_up import provenance
from positions.book.pictures.scratchpad import study
from positions.experiments.scratchpad import EXPERIMENT, ScratchpadConfig
from positions.experiments.scratchpad.presets import formats_of
from positions.runs import Record

PROMPT = "Is the number of 1's even in the sequence [ 1, 0 ] ? "
TEXT = (
    "Thinking step by step: in 1 comp 1 ** par = 1 ** 0 out 1 [ par: 1 ] re [ 0 ] # "
    "in 1 comp 1 ** par = 1 ** 1 out 0 [ par: 0 ] re [ <b> ] . Thus, The answer is Yes."
)


@cache
def configs() -> dict[tuple[str, str, str, int], ScratchpadConfig]:
    """Return the configs of the laptop's grid by task, format, encoding and seed."""
    found = EXPERIMENT.configs("laptop")
    return {(each.task, each.scratchpad, each.encoding, each.seed): each for each in found}


def made_up(
    task: str = "parity",
    form: str = "full",
    encoding: str = "nope",
    seed: int = 0,
    beyond: float | None = 0.6,
    within: float | None = 1.0,
) -> Record:
    """Record a run: of ten texts beyond, six are right, three fail at step 1, one at step 9."""
    settings = configs()[task, form, encoding, seed]
    metrics = {"iid_best": within, "ood_best": beyond, "ood_exact_best": beyond, "chance": 0.0}
    plain = form == "none"
    series: dict[str, list[Any]] = {}
    if within is not None:
        longest = settings.longest
        numbers = [] if plain else list(range(1, 11))
        series = {
            "length": [longest, longest + 1],
            "count": [10, 10],
            "accuracy_best": [within, beyond],
            "step_number": numbers,
            "reached_iid": [] if plain else [10] * 5 + [0] * 5,
            "wrong_iid": [0] * len(numbers),
            "reached_ood": [] if plain else [10] + [7] * 8 + [6],
            "wrong_ood": [] if plain else [3] + [0] * 7 + [1] + [0],
            "fault": [] if plain else ["input", "missing"],
            "fault_iid": [] if plain else [0, 0],
            "fault_ood": [] if plain else [3, 1],
            "failure_length": [2],
            "failure_prompt": [PROMPT],
            "failure_text": [TEXT],
            "failure_reason": ["Step 2 is wrong."],
        }
        if task == "addition":
            series["category"] = ["1-by-1", "1-by-2", f"{longest + 1}-by-1"]
            series["category_accuracy_best"] = [1.0, 0.9, beyond]
    return Record(
        key=EXPERIMENT.key(settings),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=settings.canonical(),
        metrics={**metrics, "ood_steps": None if plain or within is None else 0.8},
        series=series,
        status="ok" if within is not None else "diverged",
        provenance=provenance(),
    )


def grid(
    tasks: Iterable[str] = ("addition", "parity", "lego"),
    seeds: int = 2,
    forms: Callable[[str], Iterable[str]] = formats_of,
    encodings: Iterable[str] = ("nope", "sinusoidal", "t5", "alibi", "rotary"),
    **changes: Any,
) -> list[Record]:
    """Record a grid: the minimal format is the best in addition, none elsewhere."""
    found = []
    for task in tasks:
        for form in forms(task):
            best = form == ("minimal" if task == "addition" else "none")
            for encoding in encodings:
                for seed in range(seeds):
                    values = {"beyond": 0.9 if best else 0.5 + 0.01 * seed, **changes}
                    found.append(made_up(task, form, encoding, seed, **values))
    return found


@pytest.fixture(scope="session")
def run() -> Callable[..., Record]:
    """Give the function that makes one run."""
    return made_up


@pytest.fixture(scope="session")
def records() -> Callable[..., list[Record]]:
    """Give the function that makes a grid of runs."""
    return grid


FIVE = ("nope", "sinusoidal", "t5", "alibi", "rotary")


@pytest.fixture(scope="session")
def look() -> Callable[..., study.Study]:
    """Give a function that makes a study of some runs, by default of a whole grid."""

    def choose(found=None, encodings=FIVE, tasks=(), preset="laptop"):
        if found is None and (encodings, tasks, preset) == (FIVE, (), "laptop"):
            return whole_study()
        return study.choose(whole() if found is None else found, preset, encodings, tasks)

    return choose


@cache
def whole_study() -> study.Study:
    """Choose all of them, once."""
    return study.choose(whole(), "laptop", FIVE)


@cache
def whole() -> list[Record]:
    """Make a grid, once."""
    return grid()
