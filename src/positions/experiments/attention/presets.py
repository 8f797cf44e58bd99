"""At which scale: models of `length_generalization` and `scratchpad` on the paper's two tasks.

SCAN is where the paper compares encodings, and addition with the full scratchpad where it asks how
far back attention looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from positions.experiments import length_generalization, scratchpad
from positions.experiments.attention.config import AttentionConfig
from positions.experiments.length_generalization import LengthConfig
from positions.experiments.length_generalization.presets import PAPER_SEEDS
from positions.experiments.scratchpad.presets import ENCODINGS as FIVE

ALL = 3
"""Seeds of every encoding on a laptop."""
SEEDS = 7
"""Of the paper's five encodings on a laptop.

Seven pairs of seeds are the fewest whose signs, all alike, give p < 0.05 in three comparisons.
"""
FEW = {"scan": 10, "addition": 2}
"""Examples of each category on a laptop: the paper's 10, and 2 of 36 pairs of operand lengths."""


def smoke() -> list[AttentionConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    models = [each for each in _models("smoke") if each.seed == 0 and _encoding(each) in FIVE]
    return _looked_at(models, dict.fromkeys(FEW, 1))


def laptop() -> list[AttentionConfig]:
    """Return runs of small models: 88 are trained, about a minute each on one core."""
    models = [each for each in _models("laptop") if each.seed < ALL]
    more = [
        each.changed(seed=seed)
        for seed in range(ALL, SEEDS)
        for each in models
        if each.seed == 0 and _encoding(each) in FIVE
    ]
    return _looked_at([*models, *more], FEW)


def gpu() -> list[AttentionConfig]:
    """Return runs for one GPU."""
    return _looked_at(_models("gpu"), FEW)


def paper() -> list[AttentionConfig]:
    """Return the paper's own runs, each compared with the next of its three seeds."""
    following = dict(zip(PAPER_SEEDS, (*PAPER_SEEDS[1:], PAPER_SEEDS[0]), strict=True))
    return [
        AttentionConfig(**each.canonical(), other_seed=following[each.seed])
        for each in _models("paper")
    ]


@cache
def _models(preset: str) -> list[LengthConfig]:
    """Return the models of the two tasks, each seed's before the next seed's."""
    found = [
        *(each for each in length_generalization.EXPERIMENT.configs(preset) if each.task == "scan"),
        *(
            each
            for each in scratchpad.EXPERIMENT.configs(preset)
            if (each.task, each.scratchpad) == ("addition", "full")
        ),
    ]
    seeds = list(dict.fromkeys(each.seed for each in found))
    return sorted(found, key=lambda each: seeds.index(each.seed))


def _encoding(model: LengthConfig) -> tuple[str, str]:
    return model.encoding, model.encoding_options


def _looked_at(
    models: Iterable[LengthConfig], examples: Mapping[str, int]
) -> list[AttentionConfig]:
    return [AttentionConfig(**each.canonical(), examples=examples[each.task]) for each in models]


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
