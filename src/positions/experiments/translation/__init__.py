"""Translation with ready-made position tables: Wang & Chen (2020), section 5.3.

A small encoder-decoder translates captions; its encoder starts from one table and its decoder from
the same or another.
"""

from positions.experiments.base import Experiment
from positions.experiments.translation.config import NAME, VERSION, TranslationConfig, requires
from positions.experiments.translation.presets import PRESETS
from positions.experiments.translation.run import run

__all__ = ["EXPERIMENT", "TranslationConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Translation by the position tables of encoder and decoder",
    config=TranslationConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
