"""What an encoding costs in time and memory, by length, beside none at all.

Kazemnejad et al. (2023), section 4 in passing; the figures are in their repository. One run lets
all encodings take turns in one model, as times can be compared on one machine only.
"""

from positions.experiments.base import Experiment
from positions.experiments.efficiency.config import EfficiencyConfig, requires
from positions.experiments.efficiency.presets import PRESETS
from positions.experiments.efficiency.run import run

__all__ = ["EXPERIMENT", "EfficiencyConfig", "run"]

EXPERIMENT = Experiment(
    name="efficiency",
    version=1,
    title="Time and memory of each encoding, by length",
    config=EfficiencyConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
