"""Scratchpads: writing the steps down before the answer, in several formats, encoding by encoding.

Kazemnejad et al. (2023), section 6: the mathematical and reasoning tasks of length generalisation.
"""

from positions.experiments.base import Experiment
from positions.experiments.scratchpad.config import NAME, VERSION, ScratchpadConfig
from positions.experiments.scratchpad.presets import PRESETS
from positions.experiments.scratchpad.run import run

__all__ = ["EXPERIMENT", "ScratchpadConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Scratchpads by task, format and encoding",
    config=ScratchpadConfig,
    run=run,
    presets=PRESETS,
)
