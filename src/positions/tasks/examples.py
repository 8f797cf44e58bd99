"""What a task gives: examples, and fixed sets of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from positions.checks import check_whole
from positions.tasks.draws import Draws


class Example(NamedTuple):
    """One prompt with what should follow.

    The model reads `source`, which ends in a blank, and writes `target`. `answer` is what the
    target comes down to and what is scored; `category` is the label that the paper groups by.
    """

    source: str
    target: str
    answer: str
    length: int
    category: str


class Sizes(NamedTuple):
    """How many examples are asked for; the size of the validation set follows from `train`."""

    train: int
    test: int


@dataclass(frozen=True)
class Dataset:
    """Fixed sets of examples, each in random order."""

    train: list[Example]
    validation: list[Example]
    test: list[Example]

    def validation_half(self, run_seed: int) -> list[Example]:
        """Return the half of the validation set that a run with this seed looks at.

        The paper uses one and the same half to choose the checkpoint and to report accuracy within
        the training lengths.
        """
        check_whole("run_seed", run_seed, 0)
        order = Draws(run_seed, "validation half").permutation(len(self.validation))
        return [self.validation[each] for each in order[: len(order) // 2]]

    @property
    def sha256(self) -> str:
        """The digest of all three sets, for records."""
        content = repr([[*map(tuple, part)] for part in (self.train, self.validation, self.test)])
        return hashlib.sha256(content.encode()).hexdigest()
