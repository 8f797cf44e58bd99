"""Do learning rate and weight decay matter? A few runs of `length_generalization` with others.

Kazemnejad et al. (2023), appendix D.2: they tried learning rates of 1e-5, 3e-5 and 5e-5 and weight
decays of 0, 0.05 and 0.1, found no difference that matters, and took those in the middle. Here the
laptop's learning rate is changed by the same factors, one setting at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from positions.experiments import length_generalization
from positions.experiments.base import Experiment
from positions.experiments.length_generalization import LengthConfig

NAME = "hyperparameters"
TASKS = ("copy_v2_replace", "parity")
ENCODINGS = (("nope", ""), ("t5", ""), ("rotary", "fraction=0.25"))

RATES = (1 / 3, 1.0, 5 / 3)
"""Times the learning rate of the preset: 1e-5, 3e-5 and 5e-5 in the paper."""
DECAYS = (0.0, 0.05, 0.1)


def variations(config: LengthConfig) -> list[LengthConfig]:
    """Return the run itself, then with another learning rate or another weight decay."""
    changes: list[Mapping[str, Any]] = [
        {},
        *({"learning_rate": config.learning_rate * rate} for rate in RATES if rate != 1),
        *({"weight_decay": decay} for decay in DECAYS if decay != config.weight_decay),
    ]
    return [LengthConfig(**{**config.canonical(), **change}) for change in changes]


def _preset(name: str, tasks: Sequence[str] = TASKS) -> list[LengthConfig]:
    """Vary the runs of a preset of `length_generalization` on a few tasks and encodings."""
    return [
        varied
        for config in length_generalization.EXPERIMENT.configs(name)
        if config.task in tasks and (config.encoding, config.encoding_options) in ENCODINGS
        for varied in variations(config)
    ]


def smoke() -> list[LengthConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    return [each for each in _preset("smoke", ("sort_single",)) if each.seed == 0]


def laptop() -> list[LengthConfig]:
    """Return small models on two tasks: 90 runs of half a minute on one core."""
    return _preset("laptop")


def gpu() -> list[LengthConfig]:
    """Return the same variations of the `gpu` preset."""
    return _preset("gpu")


def paper() -> list[LengthConfig]:
    """Return the paper's own grid, one setting at a time, on two of its tasks."""
    return _preset("paper")


EXPERIMENT = Experiment(
    name=NAME,
    version=1,
    title="Learning rate and weight decay, by encoding",
    config=LengthConfig,
    run=length_generalization.run,
    presets={"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper},
)
