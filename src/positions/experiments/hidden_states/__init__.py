"""Position inside language models, layer by layer, before and after training.

An open question of Wang & Chen (2020): they probe bare tables, and no model ever sees one.
"""

from positions.experiments.base import Experiment
from positions.experiments.context import ContextConfig
from positions.experiments.context.config import requires
from positions.experiments.hidden_states.presets import PRESETS
from positions.experiments.hidden_states.run import NAME, VERSION, run

__all__ = ["EXPERIMENT", "run"]

EXPERIMENT = Experiment(
    name=NAME,
    version=VERSION,
    title="Position in hidden states",
    config=ContextConfig,
    run=run,
    presets=PRESETS,
    requires=requires,
)
