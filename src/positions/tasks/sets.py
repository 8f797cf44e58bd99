"""How the fixed sets are drawn: as in the code of Kazemnejad et al. 2023."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from positions.errors import InvalidValueError
from positions.tasks.draws import Draws
from positions.tasks.examples import Example
from positions.tasks.shares import equal_shares, exact_shares

if TYPE_CHECKING:
    from positions.tasks.base import Bin, Split, Task


def pool(task: Task, seed: int, train: int, distinct: bool) -> list[Example]:
    """Draw the examples of training and validation together, more than `train` of them."""
    total = task.pool(train)
    while True:
        drawn = _draw(task, "train", seed, total, train + 1, distinct)
        if len(drawn) > train:
            return drawn
        # Only at sizes of a few examples a bin does rounding down leave too few.
        total += len(task.bins("train"))


def test(task: Task, seed: int, size: int, distinct: bool) -> list[Example]:
    """Draw the test set, at most `size` examples."""
    return _draw(task, "test", seed, size, size, distinct)[:size]


def _draw(
    task: Task, split: Split, seed: int, total: int, needed: int, distinct: bool
) -> list[Example]:
    """Draw about `total` examples, divided over the bins; at least `needed` must exist.

    Each bin has draws of its own, so that it is the same whatever other lengths there are.
    """
    bins = task.bins(split)
    limited = distinct or not task.repeats
    room = [task.existing(each) if limited else sys.maxsize for each in bins]
    if sum(room) < needed:
        raise _too_few(task, split, needed, sum(room), distinct)
    weights = task.weights(split)
    if weights is None:
        quotas = equal_shares(max(total, len(bins)), room)
    else:
        quotas = exact_shares(min(total, sum(room)), weights)
    found: list[Example] = []
    for each, quota in zip(bins, quotas, strict=True):
        draws = Draws(seed, split, *each)
        if distinct and task.repeats:
            found += _distinct(task, each, quota, draws)
        elif quota:
            found += task.fill(each, quota, draws)
    order = Draws(seed, f"{split} order").permutation(len(found))
    return [found[each] for each in order]


def _distinct(task: Task, bin: Bin, quota: int, draws: Draws) -> list[Example]:
    """Draw a bin until it has `quota` different prompts."""
    found: dict[str, Example] = {}
    while len(found) < quota:
        for example in task.fill(bin, quota, draws):
            found.setdefault(example.source, example)
    return list(found.values())[:quota]


def _too_few(
    task: Task, split: Split, needed: int, existing: int, distinct: bool
) -> InvalidValueError:
    lengths = task.lengths(split)
    asked = f"{needed} different test examples"
    if split == "train":
        asked = f"{needed - 1} different training examples, and at least one for validation,"
    way = "leave distinct out or " if distinct and task.repeats else ""
    return InvalidValueError(
        f"{task.name}: {asked} were asked for, and only {existing} exist at the lengths "
        f"{lengths[0]} to {lengths[-1]}. Ask for fewer, {way}choose options that allow more."
    )
