"""Text classification with ready-made position tables: Wang & Chen (2020), section 5.1.

A small encoder learns to classify sentences; its position table starts as a pre-trained one. Beside
the paper's procedure there are arms in which one thing of it is changed.
"""

from positions.experiments.base import Experiment
from positions.experiments.classification.config import (
    NAME,
    VERSION,
    ClassificationConfig,
    requires,
)
from positions.experiments.classification.presets import PRESETS
from positions.experiments.classification.run import run

__all__ = ["EXPERIMENT", "ClassificationConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Text classification by position table",
    config=ClassificationConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
