"""What a trained translator writes, and how it scores."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from positions.experiments.translation.text import END_ID, START_ID, Dictionaries, words_of
from positions.model import Translator, translate
from positions.training import PairBatch, PairDataset, translation_loss

AT_ONCE = 64
"""Pairs in one forward pass."""
SPARE, LONGER = 10, 2
"""A translation may have twice the tokens of the longest source beside it, and ten more."""


@torch.no_grad()
def loss_on(model: Translator, data: PairDataset) -> float:
    """Return the mean cross-entropy in nats a token, unsmoothed; in evaluation mode."""
    device = next(model.parameters()).device
    minimised = translation_loss()
    total, weight = 0.0, 0
    for rows in torch.argsort(data.lengths, stable=True).split(AT_ONCE):
        batch: PairBatch = data.batch(rows)
        total += float(minimised(model, batch.to(device))) * batch.weight
        weight += batch.weight
    return total / weight


def written(
    model: Translator,
    words: Dictionaries,
    data: PairDataset,
    limit: int,
    beams: int,
    penalty: float,
    at_once: int,
) -> list[str]:
    """Translate every source, in tokens, in the order of the data; of at most `limit` places."""
    device = next(model.parameters()).device
    texts = [""] * len(data)
    order = torch.argsort(data.sources.lengths, stable=True)
    for rows in order.split(at_once):
        source, mask = data.sources.padded(rows, "right", data.pad)
        found = translate(
            model,
            source.to(device),
            mask.to(device),
            start=START_ID,
            end=END_ID,
            max_new=min(limit, LONGER * source.shape[1] + SPARE),
            beams=beams,
            length_penalty=penalty,
        )
        for row, ids in zip(rows.tolist(), found.rows(), strict=True):
            texts[row] = words_of(words.target.decode(_pieces(ids)))
    return texts


def _pieces(ids: Sequence[int]) -> list[int]:
    """Leave marks out; a start can be written as anything else can."""
    return [each for each in ids if each not in (START_ID, END_ID)]
