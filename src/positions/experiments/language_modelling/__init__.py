"""Language models with ready-made position tables: Wang & Chen (2020), section 5.2.

A masked and a causal model learn from the same text with the same frozen table of positions. The
paper gives each its own table; here all tables are given to both.
"""

from positions.experiments.base import Experiment
from positions.experiments.language_modelling.config import (
    NAME,
    VERSION,
    LanguageConfig,
    requires,
)
from positions.experiments.language_modelling.presets import PRESETS
from positions.experiments.language_modelling.run import run

__all__ = ["EXPERIMENT", "LanguageConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Language models by objective and position table",
    config=LanguageConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
