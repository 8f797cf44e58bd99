"""The attention of trained models: how far it is from NoPE's, and how far back it looks.

Kazemnejad et al. (2023), section 5.2 with Figures 4 and F.7, and section 6.1 with Figure 7, on the
models of `length_generalization`.
"""

from positions.experiments.attention.config import NAME, VERSION, AttentionConfig
from positions.experiments.attention.presets import PRESETS
from positions.experiments.attention.run import run
from positions.experiments.base import Experiment

__all__ = ["EXPERIMENT", "AttentionConfig", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Attention of trained models, beside NoPE's",
    config=AttentionConfig,
    run=run,
    presets=PRESETS,
)
