"""The theorems of Kazemnejad et al. (2023), section 3: build the weights, measure the errors.

One run builds one construction for a range of lengths and measures how far it is from what the
theorem says. Nothing is trained.
"""

from positions.experiments.base import Experiment
from positions.experiments.construction.config import ConstructionConfig
from positions.experiments.construction.presets import PRESETS
from positions.experiments.construction.run import run

__all__ = ["EXPERIMENT", "ConstructionConfig", "run"]

EXPERIMENT = Experiment(
    name="construction",
    version=1,
    title="Positions written by explicit weights",
    config=ConstructionConfig,
    run=run,
    presets=PRESETS,
)
