"""How well a trained model does with one selection of rows or another."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from positions.experiments.language_modelling.placed import Rows, using
from positions.experiments.language_modelling.text import CAUSAL, Objective
from positions.model import LanguageModel
from positions.training import TokenBatch, causal_loss, masked_loss

AT_ONCE = 32
"""Blocks in one forward pass."""


def loss_of(objective: Objective, model: LanguageModel, batch: TokenBatch) -> Tensor:
    """Return the mean loss in nats of the tokens that a batch asks for."""
    minimised = causal_loss() if objective == CAUSAL else masked_loss()
    return minimised(model, batch)


@torch.no_grad()
def loss_on(objective: Objective, model: LanguageModel, asked: TokenBatch) -> float:
    """Return the mean loss in nats of all tokens asked for; the model in evaluation mode."""
    device = next(model.parameters()).device
    total = 0.0
    for part in asked.parts(-(-len(asked) // AT_ONCE)):
        if part.weight:
            total += float(loss_of(objective, model, part.to(device))) * part.weight
    return total / asked.weight


def by_rows(
    objective: Objective, model: LanguageModel, asked: TokenBatch, selections: Iterable[Rows]
) -> list[float]:
    """Return the loss with each selection of rows of the model's table."""
    found = []
    for rows in selections:
        with using(model, rows):
            found.append(loss_on(objective, model, asked))
    return found
