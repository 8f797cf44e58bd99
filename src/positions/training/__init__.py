"""Training: a plan, batches, and `fit`."""

from positions.training.batches import LabelledBatch, PairBatch, TokenBatch
from positions.training.checkpoint import Checkpoints
from positions.training.datasets import CausalDataset, LabelledDataset, PairDataset
from positions.training.fit import fit
from positions.training.fitted import Fitted, Progress
from positions.training.losses import (
    causal_loss,
    label_loss,
    masked_loss,
    token_loss,
    translation_loss,
)
from positions.training.memory import OutOfMemoryError
from positions.training.plan import TrainingPlan
from positions.training.randomness import seeded
from positions.training.sampling import ShuffledBatches, TokenBudgetBatches, in_order, per_example
from positions.training.signals import TrainingStoppedError

__all__ = [
    "CausalDataset",
    "Checkpoints",
    "Fitted",
    "LabelledBatch",
    "LabelledDataset",
    "OutOfMemoryError",
    "PairBatch",
    "PairDataset",
    "Progress",
    "ShuffledBatches",
    "TokenBatch",
    "TokenBudgetBatches",
    "TrainingPlan",
    "TrainingStoppedError",
    "causal_loss",
    "fit",
    "in_order",
    "label_loss",
    "masked_loss",
    "per_example",
    "seeded",
    "token_loss",
    "translation_loss",
]
