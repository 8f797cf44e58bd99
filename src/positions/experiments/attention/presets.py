"""At which scale: the models of `length_generalization`, on two tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from positions.experiments import length_generalization
from positions.experiments.attention.config import AttentionConfig
from positions.experiments.length_generalization import LengthConfig
from positions.experiments.length_generalization.presets import PAPER_ENCODINGS, PAPER_SEEDS

TASKS = ("scan", "addition")
"""The paper looks at divergence on SCAN and at distance on addition (with a scratchpad)."""

MORE_SEEDS = 7
"""Of the paper's five encodings on a laptop.

Seven pairs of seeds are the fewest whose signs, all alike, give p < 0.05 in three comparisons.
"""
FIVE = [each for each in PAPER_ENCODINGS if each != ("rotary", "fraction=1.0")]


def smoke() -> list[AttentionConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    return [
        AttentionConfig(**each.canonical(), examples=1)
        for each in _models("smoke")
        if each.seed == 0 and (each.encoding, each.encoding_options) in FIVE
    ]


def laptop() -> list[AttentionConfig]:
    """Return runs of small models, about a minute each on one core: 96 of them are trained."""
    models = _models("laptop")
    seeds = {each.seed for each in models}
    more = [
        each.changed(seed=seed)
        for seed in range(max(seeds) + 1, MORE_SEEDS)
        for each in models
        if each.seed == 0 and (each.encoding, each.encoding_options) in FIVE
    ]
    return _looked_at([*models, *more])


def gpu() -> list[AttentionConfig]:
    """Return runs for one GPU."""
    return _looked_at(_models("gpu"))


def paper() -> list[AttentionConfig]:
    """Return the paper's own runs, each compared with the next of its three seeds."""
    following = dict(zip(PAPER_SEEDS, (*PAPER_SEEDS[1:], PAPER_SEEDS[0]), strict=True))
    return [
        AttentionConfig(**each.canonical(), other_seed=following[each.seed])
        for each in _models("paper")
    ]


def _models(preset: str) -> list[LengthConfig]:
    """Return the runs of `length_generalization` on the two tasks."""
    every: Sequence[LengthConfig] = length_generalization.EXPERIMENT.configs(preset)
    return [each for each in every if each.task in TASKS]


def _looked_at(models: Iterable[LengthConfig]) -> list[AttentionConfig]:
    return [AttentionConfig(**each.canonical()) for each in models]


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
