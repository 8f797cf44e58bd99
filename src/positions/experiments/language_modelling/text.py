"""A corpus as blocks of tokens, and what each objective asks of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from positions.errors import InvalidValueError
from positions.experiments.context.text import Documents
from positions.model import IGNORE
from positions.training import ShuffledBatches, TokenBatch
from positions.training.randomness import generator

Objective = Literal["masked", "causal"]
MASKED: Objective = "masked"
CAUSAL: Objective = "causal"
OBJECTIVES = (MASKED, CAUSAL)

SHARE, AS_MASK, AS_ANY = 0.15, 0.8, 0.1
"""Of the tokens that may be hidden; of those, how many become the mask, and how many any token."""


@dataclass(frozen=True)
class Vocabulary:
    """How many tokens there are, and those that stand for no text.

    `begin` and `end` stand around a block of a masked model; `mask` where a token is hidden.
    """

    size: int
    begin: int
    end: int
    mask: int


def with_marks(pieces: int, begin: int) -> Vocabulary:
    """Return the vocabulary of a tokenizer of so many pieces, with an end and a mask behind."""
    return Vocabulary(pieces + 2, begin, pieces, pieces + 1)


class Blocks:
    """Blocks of `length` tokens, cut from the whole text; what is left over is dropped.

    As in Wang & Chen (2020), a block goes over the edges of documents. That of a masked model
    begins and ends with marks of its own. `most`: keep so many blocks only, evenly spread. Raises
    `InvalidValueError` where the text has no block.
    """

    def __init__(
        self,
        documents: Documents,
        length: int,
        objective: Objective,
        vocabulary: Vocabulary,
        part: str,
        most: int | None = None,
    ) -> None:
        ids = np.concatenate(documents).astype(np.int64)
        inside = length - 2 if objective == MASKED else length
        count = len(ids) // inside
        if count == 0:
            raise InvalidValueError(
                f"The {part} text has {len(ids):,} tokens, and a block takes {inside:,}. Lower "
                "length, or take a corpus with more text."
            )
        blocks = ids[: count * inside].reshape(count, inside)
        if most is not None and most < count:
            blocks = blocks[np.linspace(0, count - 1, most).astype(int)]
        if objective == MASKED:
            edges = ((0, 0), (1, 1))
            marks = ((0, 0), (vocabulary.begin, vocabulary.end))
            blocks = np.pad(blocks, edges, constant_values=marks)
        self.tokens = torch.from_numpy(blocks)
        self.lengths = torch.full((len(blocks),), length)

    def __len__(self) -> int:
        return len(self.tokens)

    def batch(self, rows: Tensor) -> Tensor:
        """Return the blocks of those numbers, (batch, length) int64."""
        return self.tokens[rows]


def next_token(tokens: Tensor) -> TokenBatch:
    """Ask for each token but the first; blocks (batch, length)."""
    labels = tokens.roll(-1, dims=1)
    labels[:, -1] = IGNORE
    return TokenBatch(tokens, torch.ones_like(tokens, dtype=torch.bool), labels)


def hidden_tokens(tokens: Tensor, vocabulary: Vocabulary, chance: torch.Generator) -> TokenBatch:
    """Hide some tokens of blocks (batch, length) and ask for them.

    Devlin et al. (2019), as in the code of Wang & Chen (2020): of the tokens between the marks each
    is asked for with probability 0.15; 80 % of those are given as the mask, 10 % as any token of
    the vocabulary and 10 % as they are. Where chance takes none at all, the first one is asked for.
    """
    asked = torch.rand(tokens.shape, generator=chance) < SHARE
    asked[:, [0, -1]] = False
    if not asked.any():
        asked[0, 1] = True
    lot = torch.rand(tokens.shape, generator=chance)
    any_token = torch.randint(vocabulary.size, tokens.shape, generator=chance)
    given = torch.where(asked & (lot < AS_MASK), vocabulary.mask, tokens)
    given = torch.where(asked & (lot >= 1 - AS_ANY), any_token, given)
    labels = tokens.masked_fill(~asked, IGNORE)
    return TokenBatch(given, torch.ones_like(tokens, dtype=torch.bool), labels)


def ask(
    objective: Objective, tokens: Tensor, vocabulary: Vocabulary, *chance: int | str
) -> TokenBatch:
    """Ask what the objective asks of blocks; `chance` decides what a masked model must find."""
    if objective == CAUSAL:
        return next_token(tokens)
    return hidden_tokens(tokens, vocabulary, generator(*chance))


def training_batches(
    objective: Objective, blocks: Blocks, vocabulary: Vocabulary, batch_size: int, seed: int
) -> Callable[[int], TokenBatch]:
    """Return the batch of each step; tokens are hidden anew at every step."""
    batches = ShuffledBatches(blocks, batch_size, seed)

    def batch(step: int) -> TokenBatch:
        return ask(objective, batches(step), vocabulary, seed, "hidden", step)

    return batch
