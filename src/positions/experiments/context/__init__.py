"""Language models past their context: how well they predict with more text than in training.

Kazemnejad et al. (2023), section 7 and appendix F, on texts that are at hand.
"""

from positions.experiments.base import Experiment
from positions.experiments.context.config import NAME, VERSION, ContextConfig, requires
from positions.experiments.context.presets import PRESETS
from positions.experiments.context.run import run

__all__ = ["EXPERIMENT", "ContextConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Language models past their context",
    config=ContextConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
