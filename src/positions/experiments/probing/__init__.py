"""Probing: what can be read out of a position table (Wang & Chen 2020, section 4, and beyond).

One run measures one thing on one table, over some seeds. The seeds shuffle rows, draw pairs and,
for random controls, draw the table itself.
"""

from positions.experiments.base import Experiment
from positions.experiments.probing.config import ProbingConfig, requires
from positions.experiments.probing.measures import MEASURES
from positions.experiments.probing.presets import PRESETS
from positions.experiments.probing.run import run

__all__ = ["EXPERIMENT", "MEASURES", "ProbingConfig", "run"]

EXPERIMENT = Experiment(
    name="probing",
    version=1,
    title="What can be read out of a position table",
    config=ProbingConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
