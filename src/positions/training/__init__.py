"""Training: a plan, batches, and `fit`."""

from positions.training.batches import LabelledBatch, PairBatch, TokenBatch
from positions.training.checkpoint import Checkpoints
from positions.training.datasets import CausalDataset, LabelledDataset, PairDataset
from positions.training.fit import fit
from positions.training.fitted import Fitted, Progress
from positions.training.losses import label_loss, token_loss
from positions.training.memory import OutOfMemoryError
from positions.training.plan import TrainingPlan
from positions.training.randomness import seeded
from positions.training.sampling import ShuffledBatches, TokenBudgetBatches, in_order
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
    "fit",
    "in_order",
    "label_loss",
    "seeded",
    "token_loss",
]
