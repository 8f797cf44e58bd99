"""Attention measured example by example, in the mean over the examples of each length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from positions.analysis.attention import distance, divergence
from positions.model import LanguageModel, Trace
from positions.tasks import Dataset, Example, Tokenizer
from positions.tasks.scratchpad.reading import conclusion

FORMS = ("closest", "matched", "coded")
"""Least divergence of all pairs of heads; mean over best partners; the paper's as coded."""


def first_of_each(dataset: Dataset, count: int) -> list[Example]:
    """Return the first `count` validation and test examples of each category, by length.

    Both sets are in random order, so that these are random ones, and the same for every model.
    """
    seen: Counter[str] = Counter()
    chosen = []
    for example in (*dataset.validation, *dataset.test):
        seen[example.category] += 1
        if seen[example.category] <= count:
            chosen.append(example)
    return sorted(chosen, key=lambda example: (example.length, example.category))


@torch.no_grad()
def attention(model: LanguageModel, tokens: Sequence[int]) -> list[Tensor]:
    """Return one map a layer, (heads, length, length), of a text without padding."""
    trace = Trace()
    device = next(model.parameters()).device
    model(torch.tensor([tokens], device=device), trace=trace)
    return [layer[0] for layer in trace.attention]


def apart(one: Iterable[Tensor], other: Iterable[Tensor]) -> NDArray[np.float64]:
    """Return the divergence of two models on one text, (layers, FORMS)."""
    rows = []
    for p, q in zip(one, other, strict=True):
        true, as_coded = divergence.divergences(p, q)
        rows.append(
            [
                divergence.closest(true),
                divergence.matched(true),
                divergence.closest_coded(as_coded),
            ]
        )
    return np.array(rows)


def queries(example: Example, tokenizer: Tokenizer) -> range:
    """Return the positions of the answer's sentence in prompt and target.

    With a scratchpad that is what follows `. Thus,`, as in the paper; the text ends with it.
    """
    answer = conclusion(example.target) or example.target
    length = len(tokenizer.encode(example.source)) + len(tokenizer.encode(example.target))
    return range(length - len(tokenizer.encode(answer)), length)


class Means:
    """Means of equally shaped arrays by length, and of lengths in the order of their size."""

    def __init__(self) -> None:
        self._sums: dict[int, NDArray[np.float64]] = {}
        self._counts: Counter[int] = Counter()

    def add(self, length: int, values: NDArray[np.float64]) -> None:
        """Count one example's values in."""
        self._sums[length] = self._sums.get(length, np.zeros_like(values)) + values
        self._counts[length] += 1

    @property
    def lengths(self) -> list[int]:
        """Return the lengths there are."""
        return sorted(self._sums)

    def table(self) -> NDArray[np.float64]:
        """Return the means, (lengths, *shape of an example's values)."""
        return np.stack([self._sums[each] / self._counts[each] for each in self.lengths])


class Distances:
    """Attention by distance, layer by layer, of all examples counted in."""

    def __init__(self, layers: int) -> None:
        self._most = torch.zeros(layers, distance.BINS, dtype=torch.float64)
        self._mass = torch.zeros(layers, distance.BINS, dtype=torch.float64)
        self._even = torch.zeros(distance.BINS, dtype=torch.float64)

    def add(self, maps: Sequence[Tensor], asked: range) -> None:
        """Count one example in: `maps` one a layer, `asked` the queries that count."""
        for layer, each in enumerate(maps):
            self._most[layer] += distance.most_attended(each, asked)
            self._mass[layer] += distance.mass(each, asked)
        self._even += distance.even(maps[0].shape[-1], asked)

    def shares(self) -> dict[str, Any]:
        """Return shares by bin: of the most attended key and of all attention, (layers, BINS);
        and of a head that looks at everything alike, (BINS,).
        """
        return {
            "most_attended": (self._most / self._most.sum(-1, keepdim=True)).tolist(),
            "mass": (self._mass / self._mass.sum(-1, keepdim=True)).tolist(),
            "even": (self._even / self._even.sum()).tolist(),
        }
