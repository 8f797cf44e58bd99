"""At which scale the experiment is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from positions import encodings, tasks
from positions.experiments.length_generalization import laptop as laptop_settings
from positions.experiments.length_generalization.config import LengthConfig

Settings = Mapping[str, Any]

PAPER_ENCODINGS = (
    ("nope", ""),
    ("sinusoidal", "amplitude=1.0"),  # embeddings start as N(0, 1): the size decides the result
    ("t5", ""),
    ("alibi", ""),
    ("rotary", "fraction=1.0"),  # as the paper writes
    ("rotary", "fraction=0.25"),  # as its code ran
)
CODE_ENCODINGS = tuple(each for each in PAPER_ENCODINGS if each[1] != "fraction=1.0")
"""The paper's five, each as its code ran."""
ENCODINGS = (
    *PAPER_ENCODINGS[:2],
    ("learned", "std=1.0"),  # as large as the embeddings, like the sinusoids
    *PAPER_ENCODINGS[2:],
)

PAPER_SEEDS = (256788, 234054, 146317)
LONG_PCFG = {("nope", seed) for seed in PAPER_SEEDS} | {("t5", 256788), ("rotary", 234054)}
"""PCFG runs that took 100,000 steps by the authors' logs (epochs run); all others took 60,000."""


def every_encoding() -> list[tuple[str, str]]:
    """Return the book's encodings, and behind them those that others registered."""
    known = {name for name, _ in ENCODINGS}
    return [*ENCODINGS, *((name, "") for name in encodings.names() if name not in known)]


def grid(
    names: Iterable[str],
    seeds: Iterable[int],
    encodings: Sequence[tuple[str, str]],
    settings: Callable[[str], Settings],
) -> list[LengthConfig]:
    """Return the configs of all combinations: each seed's whole grid before the next seed's."""
    names = list(names)
    return [
        LengthConfig(
            task=name, encoding=encoding, encoding_options=options, seed=seed, **settings(name)
        )
        for seed in seeds
        for name in names
        for encoding, options in encodings
    ]


def lengths(name: str, longest: int | None = None) -> dict[str, int]:
    """Return the training and test lengths of a task: the paper's, or up to `longest` and twice."""
    if longest is not None:
        return {"longest": longest, "test_longest": 2 * longest}
    task = tasks.build(name)
    return {"longest": task.longest, "test_longest": task.test_lengths[-1]}


def paper() -> list[LengthConfig]:
    """Return the paper's own runs: T5-base's decoder, 40,000 steps (appendix D; their logs)."""
    return [
        LengthConfig(**{**each.canonical(), "steps": _paper_steps(each)})
        for each in grid(tasks.names(), PAPER_SEEDS, PAPER_ENCODINGS, _paper)
    ]


def _paper(name: str) -> Settings:
    task = tasks.build(name)
    return {
        **lengths(name),
        **task.sizes._asdict(),
        "paper_lengths": task.paper_pieces is not None,
        "vocabulary": 32_620 if name == "pcfg" else 32_100,
        "width": 768,
        "heads": 12,
        "layers": 12,
        "hidden": 3_072,
        "dropout": 0.1,
        "steps": 40_000,
        "batch_size": 64,
        "learning_rate": 3e-5,
        "evaluate_every": 2_000,
    }


def _paper_steps(config: LengthConfig) -> int:
    if config.task != "pcfg":
        return config.steps
    return 100_000 if (config.encoding, config.seed) in LONG_PCFG else 60_000


def gpu() -> list[LengthConfig]:
    """Return runs for one GPU, about an hour a task: the paper's data, 4.7 million weights."""
    return grid(tasks.names(), range(3), every_encoding(), _gpu)


def _gpu(name: str) -> Settings:
    return {
        **lengths(name),
        **tasks.build(name).sizes._asdict(),
        "width": 256,
        "heads": 8,
        "layers": 6,
        "hidden": 1_024,
        "dropout": 0.1,
        "steps": 15_000,
        "batch_size": 64,
        "learning_rate": 5e-4,
        "evaluate_every": 1_000,
    }


def laptop() -> list[LengthConfig]:
    """Return runs of small models: a minute each on one core, some hours in all on two.

    The sinusoids' size is looked at on two tasks: once as large as the embeddings, as in the
    paper, and once a thirtieth of it. The paper's five encodings get two seeds more where NoPE
    and T5's bias are close.
    """
    small = [("sinusoidal", "amplitude=0.03")]
    return [
        *grid(tasks.names(), range(3), every_encoding(), laptop_settings.settings),
        *grid(("copy_v3_multi", "sort_single"), range(3), small, laptop_settings.settings),
        *grid(laptop_settings.CLOSE, range(3, 5), CODE_ENCODINGS, laptop_settings.settings),
    ]


def smoke() -> list[LengthConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    names = ("copy_v3_multi", "addition", "sort_single", "scan")
    return grid(names, range(2), every_encoding(), _smoke)


def _smoke(name: str) -> Settings:
    return {
        **lengths(name, 4),
        "train": 200,
        "test": 40,
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
