"""Which examples a model solves, and what share of them by length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from positions.errors import InvalidValueError
from positions.model import LanguageModel, exact_match
from positions.tasks import Example, Tokenizer, encode
from positions.training import CausalDataset, TokenBatch, per_example

AT_ONCE = 256
"""Sequences in one forward pass."""

L = TypeVar("L", int, str)


@dataclass(frozen=True)
class TestSet:
    """Examples, and as tokens those of them that are short enough, numbered in `short`."""

    examples: Sequence[Example]
    short: Tensor
    data: CausalDataset

    __test__ = False  # it is no test of pytest's


def as_tokens(examples: Sequence[Example], tokenizer: Tokenizer) -> CausalDataset:
    """Encode examples; the target and its end are asked for, the prompt is not."""
    pairs = ((each.ids, each.chosen) for each in encode(examples, tokenizer))
    return CausalDataset(pairs, vocabulary=len(tokenizer), pad=tokenizer.pad_id)


def test_set(examples: Sequence[Example], tokenizer: Tokenizer, limit: int) -> TestSet:
    """Encode examples for a test; raises `InvalidValueError` where none has `limit` tokens."""
    lengths = torch.tensor([len(each.ids) for each in encode(examples, tokenizer)])
    short = (lengths <= limit).nonzero()[:, 0]
    if not len(short):
        raise InvalidValueError(
            f"token_limit = {limit} is below all of the {len(examples)} examples' lengths, which "
            f"begin at {int(lengths.min())} tokens. Raise token_limit."
        )
    kept = [examples[each] for each in short.tolist()]
    return TestSet(examples, short, as_tokens(kept, tokenizer))


def solved(model: LanguageModel, tests: TestSet) -> Tensor:
    """Say for each example whether greedy decoding writes its target, bool (examples,).

    Kazemnejad et al. (2023), section 3; by one forward pass, see `exact_match`. Examples that are
    too long are not solved: decoding would be cut off.
    """
    device = next(model.parameters()).device

    def measure(batch: TokenBatch) -> Tensor:
        there = batch.to(device)
        return exact_match(model, there.tokens, there.target, there.mask)

    found = torch.zeros(len(tests.examples), dtype=torch.bool)
    found[tests.short] = per_example(measure, tests.data, AT_ONCE)
    return found


def share(right: Tensor) -> float:
    """Return the share of examples that are right."""
    return right.double().mean().item()


def shares(labels: Sequence[L], right: Tensor) -> tuple[list[L], list[int], list[float]]:
    """Return each label, sorted, how many examples bear it and what share of them is right."""
    counts: Counter[L] = Counter(labels)
    good: Counter[L] = Counter()
    for label, each in zip(labels, right.tolist(), strict=True):
        good[label] += each
    names = sorted(counts)
    return names, [counts[name] for name in names], [good[name] / counts[name] for name in names]
