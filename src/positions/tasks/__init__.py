"""The tasks of length generalisation: examples by length, and how they are scored.

The 17 variants of Kazemnejad et al. (2023), to the letter of their code.
"""

from positions.tasks.base import DATA_SEED, Task
from positions.tasks.batches import Encoded, encode
from positions.tasks.examples import Dataset, Example, Sizes
from positions.tasks.registry import build, names, options
from positions.tasks.tokenizer import Tokenizer

__all__ = [
    "DATA_SEED",
    "Dataset",
    "Encoded",
    "Example",
    "Sizes",
    "Task",
    "Tokenizer",
    "build",
    "encode",
    "names",
    "options",
]
