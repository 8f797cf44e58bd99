"""Which examples a step sees: a function of the seed and the step alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import torch
from torch import Tensor

from positions.errors import InvalidValueError
from positions.training.datasets import Dataset
from positions.training.randomness import generator

B = TypeVar("B")


class ShuffledBatches(Generic[B]):
    """Batches of `batch_size` examples, every example once an epoch, in a new order each epoch.

    `pool`: sort by length among that many batches' worth of examples, so that a batch holds
    sequences of similar length and little padding; 1 leaves chance alone to choose, as both papers
    do. The last batch of an epoch may be smaller. Called with a step, it returns that step's batch;
    its length is the number of batches in an epoch.
    """

    def __init__(self, data: Dataset[B], batch_size: int, seed: int, *, pool: int = 1) -> None:
        if batch_size < 1 or pool < 1:
            raise InvalidValueError(
                f"batch_size = {batch_size} and pool = {pool} must be at least 1."
            )
        self.data, self.batch_size, self.seed, self.pool = data, batch_size, seed, pool
        self._epoch: tuple[int, list[Tensor]] = (-1, [])

    def __len__(self) -> int:
        return -(-len(self.data) // self.batch_size)

    def __call__(self, step: int) -> B:
        """Return the batch of a step."""
        return self.data.batch(self.rows(step))

    def rows(self, step: int) -> Tensor:
        """Return the numbers of a step's examples."""
        epoch, place = divmod(step, len(self))
        if self._epoch[0] != epoch:
            self._epoch = (epoch, self._order(epoch))
        return self._epoch[1][place]

    def _order(self, epoch: int) -> list[Tensor]:
        chance = generator(self.seed, "order", epoch)
        order = torch.randperm(len(self.data), generator=chance)
        if self.pool == 1:
            return list(order.split(self.batch_size))
        lengths = self.data.lengths[order]
        pools = torch.arange(len(order)) // (self.pool * self.batch_size)
        # by pool, and by length within it
        order = order[torch.argsort(pools * (int(lengths.max()) + 1) + lengths, stable=True)]
        batches = order.split(self.batch_size)
        return [batches[i] for i in torch.randperm(len(batches), generator=chance).tolist()]


class TokenBudgetBatches(Generic[B]):
    """Batches of similar lengths that hold at most `tokens` places, padding included.

    As in the translation runs of Wang & Chen (2020), which batch by tokens: the batches are made
    once, from the examples sorted by length, and come in a new order each epoch. Raises
    `InvalidValueError` where one example alone is longer than that.
    """

    def __init__(self, data: Dataset[B], tokens: int, seed: int) -> None:
        self.data, self.seed = data, seed
        longest = int(data.lengths.max())
        if longest > tokens:
            raise InvalidValueError(
                f"Example {int(data.lengths.argmax())} has {longest} tokens, more than a batch's "
                f"tokens = {tokens}. Raise tokens or leave the example out."
            )
        order = torch.randperm(len(data), generator=generator(seed, "ties"))
        order = order[torch.argsort(data.lengths[order], stable=True)]
        starts = [0]
        for place, length in enumerate(data.lengths[order].tolist()):
            if length * (place + 1 - starts[-1]) > tokens:
                starts.append(place)
        self._batches = order.tensor_split(starts[1:])
        self._epoch: tuple[int, list[int]] = (-1, [])

    def __len__(self) -> int:
        return len(self._batches)

    def __call__(self, step: int) -> B:
        """Return the batch of a step."""
        epoch, place = divmod(step, len(self))
        if self._epoch[0] != epoch:
            chance = generator(self.seed, "order", epoch)
            self._epoch = (epoch, torch.randperm(len(self), generator=chance).tolist())
        return self.data.batch(self._batches[self._epoch[1][place]])


def in_order(data: Dataset[B], batch_size: int) -> Iterator[B]:
    """Yield all examples once, as they stand."""
    for rows in torch.arange(len(data)).split(batch_size):
        yield data.batch(rows)


def per_example(measure: Callable[[B], Tensor], data: Dataset[B], batch_size: int) -> Tensor:
    """Measure every example and return the values (examples,) in the examples' order, on the CPU.

    `measure(batch)` returns one value an example, (batch,). The examples come sorted by length, so
    that little padding is computed; a measure that depends on the other rows of a batch does not
    belong here.
    """
    order = torch.argsort(data.lengths, stable=True)
    found = torch.cat([measure(data.batch(rows)).cpu() for rows in order.split(batch_size)])
    values = torch.empty_like(found)
    values[order] = found
    return values
