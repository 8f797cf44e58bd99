"""Length generalisation: train on short inputs, test up to twice as long, encoding by encoding.

Kazemnejad et al. (2023), sections 3 and 4, without scratchpad: 17 task variants, each learned from
scratch by a small decoder.
"""

from positions.experiments.base import Experiment
from positions.experiments.length_generalization.config import NAME, VERSION, LengthConfig
from positions.experiments.length_generalization.one_run import run
from positions.experiments.length_generalization.presets import PRESETS

__all__ = ["EXPERIMENT", "LengthConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Length generalisation by task and encoding",
    config=LengthConfig,
    run=run,
    presets=PRESETS,
)
