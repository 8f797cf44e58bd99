"""What a classifier answers, and what its answers rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor

from positions.encodings.learned import Learned
from positions.model import Classifier
from positions.tasks.sentences import Text, Vocabulary
from positions.training import LabelledBatch, LabelledDataset, per_example
from positions.training.randomness import generator

AT_ONCE = 256
"""Texts in one forward pass, where the others of a batch play no part."""


def as_dataset(texts: Sequence[Text], vocabulary: Vocabulary, classes: int) -> LabelledDataset:
    """Encode texts, padded on the right."""
    return LabelledDataset(
        (vocabulary.encode(text.words) for text in texts),
        [text.label for text in texts],
        vocabulary=len(vocabulary),
        classes=classes,
        pad=vocabulary.pad_id,
    )


@torch.no_grad()
def answers(model: Classifier, data: LabelledDataset, batch_size: int, *order: int | str) -> Tensor:
    """Return the class that the model gives each text, int64 (texts,), on the CPU.

    Read out at the last padded position, an answer depends on the batch: as in the code of Wang &
    Chen (2020), texts come in batches of `batch_size`, shuffled by `order`. Other read-outs do not
    depend on it, and get batches of texts of like length.
    """
    device = next(model.parameters()).device

    def classify(batch: LabelledBatch) -> Tensor:
        there = batch.to(device)
        return model(there.tokens, there.mask).argmax(-1)

    if model.readout != "last_padded":
        return per_example(classify, data, AT_ONCE)
    found = torch.empty(len(data), dtype=torch.int64)
    for rows in torch.randperm(len(data), generator=generator(*order)).split(batch_size):
        found[rows] = classify(data.batch(rows)).cpu()
    return found


def right(model: Classifier, data: LabelledDataset, batch_size: int, *order: int | str) -> Tensor:
    """Say which texts the model gives their label, bool (texts,); arguments as for `answers`."""
    return answers(model, data, batch_size, *order) == data.labels


def share(found: Tensor) -> float:
    """Return the share of what is true."""
    return found.double().mean().item()


def shuffled(texts: Sequence[Text], seed: int) -> list[Text]:
    """Return the texts with the words of each in random order."""
    chance = np.random.default_rng([seed, *b"words"])
    return [
        Text(tuple(text.words[place] for place in chance.permutation(len(text.words))), text.label)
        for text in texts
    ]


def table_of(model: Classifier) -> Tensor:
    """Return the model's position table as it is now, (rows, width), on the CPU."""
    return _encoding(model).table.detach().to("cpu", copy=True)


@contextmanager
def moved_on(model: Classifier, by: int) -> Iterator[None]:
    """Give every position the row `by` further on, for a while; the last `by` have none, zero."""
    table = _encoding(model).table
    kept = table.detach().clone()
    with torch.no_grad():
        table.zero_()
        table[:-by] = kept[by:]
    try:
        yield
    finally:
        with torch.no_grad():
            table.copy_(kept)


def correlation(before: Tensor, after: Tensor) -> float | None:
    """Return Pearson's correlation of all entries, None where either does not vary."""
    one, other = (x.double().flatten() - x.double().mean() for x in (before, after))
    norm = one.norm() * other.norm()
    return (one @ other / norm).item() if norm > 0 else None


def _encoding(model: Classifier) -> Learned:
    (encoding,) = model.transformer.placement.distinct()
    assert isinstance(encoding, Learned)
    return encoding
