"""At which scale the experiment is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from positions import tasks
from positions.experiments import length_generalization
from positions.experiments.length_generalization import LengthConfig
from positions.experiments.length_generalization.presets import grid
from positions.experiments.scratchpad.config import TASKS, ScratchpadConfig
from positions.tasks.scratchpad import NONE, SteppedTask, formats

ENCODINGS = (
    ("nope", ""),
    ("sinusoidal", "amplitude=1.0"),
    ("t5", ""),
    ("alibi", ""),
    ("rotary", "fraction=0.25"),
)
"""The paper's five, as its code ran them."""

SMALL_TASKS = ("addition", "parity", "sort_single", "lego")
"""One of each kind: a carry, a running value, a changing list, a chain."""


def formats_of(task: str) -> tuple[str, ...]:
    """Return the paper's formats for a task: none, minimal, full and full without one field each.

    Sorting and LEGO have no variable, so there is one less.
    """
    built = tasks.build(task)
    assert isinstance(built, SteppedTask)
    return (NONE, *formats(variable=built.step_symbols.variable is not None))


def in_formats(
    runs: Iterable[LengthConfig], forms: Sequence[str] | None = None, **changes: Any
) -> list[ScratchpadConfig]:
    """Return each run in all formats of its task, or in `forms`, with some settings changed.

    All formats of a task get the same model, data and training, which the paper's do too. Sequences
    are as long as in the paper's records where these are asked for and known.
    """
    return [
        ScratchpadConfig(
            **{
                **each.canonical(),
                **changes,
                "scratchpad": form,
                "paper_lengths": each.paper_lengths and form in _counted(each.task),
            }
        )
        for each in runs
        for form in forms or formats_of(each.task)
    ]


def _counted(task: str) -> tuple[str, ...]:
    built = tasks.build(task)
    assert isinstance(built, SteppedTask)
    return built.counted


def paper() -> list[ScratchpadConfig]:
    """Return the paper's own runs: as without scratchpad, texts of up to 1,500 tokens."""
    return in_formats(_of_length_generalization("paper", TASKS), token_limit=1_500)


def gpu() -> list[ScratchpadConfig]:
    """Return the laptop's tasks at the paper's lengths, for one GPU: 4.7 million weights."""
    runs = _of_length_generalization("gpu", SMALL_TASKS)
    return in_formats(runs, token_limit=1_000, steps=5_000, test=2_000, evaluate_every=500)


def _of_length_generalization(preset: str, names: Sequence[str]) -> list[LengthConfig]:
    """Return the runs of a preset without scratchpad, with the paper's encodings."""
    return [
        each
        for each in length_generalization.EXPERIMENT.configs(preset)
        if each.task in names and (each.encoding, each.encoding_options) in ENCODINGS
    ]


FIRST = (NONE, "minimal", "full")
"""The formats that say most, which a sweep does first."""


def laptop() -> list[ScratchpadConfig]:
    """Return runs of small models on short inputs, about a minute each on one core.

    A sweep that is not over yet is of use, too: `FIRST` come first, seed by seed, and then the
    formats without one field.
    """
    runs = in_formats(grid(SMALL_TASKS, range(3), ENCODINGS, _laptop), token_limit=350)
    return sorted(runs, key=lambda each: (each.scratchpad not in FIRST, each.seed))


# The longest right text of these has 324 tokens.
_LENGTHS: Mapping[str, Mapping[str, int]] = {
    "addition": {"longest": 4},
    "parity": {"shortest": 2, "longest": 5},
    "sort_single": {"longest": 5},
    "lego": {"shortest": 2, "longest": 4},
}


def _laptop(name: str) -> Mapping[str, Any]:
    return {
        **_LENGTHS[name],
        "test_longest": 2 * _LENGTHS[name]["longest"],
        "train": 10_000,
        "test": 500,
        "width": 64,
        "heads": 4,
        "layers": 3,
        "hidden": 256,
        "dropout": 0.0,
        "steps": 1_000,
        "batch_size": 32,
        "pool": 16,
        "learning_rate": 2e-3,
        "evaluate_every": 200,
    }


def smoke() -> list[ScratchpadConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    runs = grid(("addition", "sort_single"), range(2), ENCODINGS, _smoke)
    return in_formats(runs, (NONE, "minimal", "full"), token_limit=100)


def _smoke(name: str) -> Mapping[str, Any]:
    longest = {"addition": 1, "sort_single": 2}[name]
    return {
        "longest": longest,
        "test_longest": longest + 1,
        "train": 100,
        "test": 12,
        "width": 16,
        "heads": 2,
        "layers": 1,
        "hidden": 32,
        "dropout": 0.1,
        "steps": 4,
        "batch_size": 8,
        "learning_rate": 1e-3,
        "evaluate_every": 2,
    }


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
