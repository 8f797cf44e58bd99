"""How well a model predicts the same tokens, given more and more of what stands before them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from positions.experiments.context.text import Stretches, Windows
from positions.model import LanguageModel
from positions.training import causal_loss, in_order

AT_ONCE = 8_192
"""Tokens in one forward pass."""


@torch.no_grad()
def losses(
    model: LanguageModel, tokens: Tensor, contexts: Sequence[int], scored: int, begin: int
) -> Tensor:
    """Return the mean loss of the last `scored` tokens, nats, float64 (stretches, contexts).

    `tokens` (stretches, length) int64. With a context of c, a model is given `<bos>` and the c - 1
    tokens before the last, and so stands at c positions, as in training; it is asked for each of
    the last `scored` tokens, the earliest of which sees least. Kazemnejad et al. (2023),
    appendix F, where `scored` is 200.
    """
    device = next(model.parameters()).device
    columns = []
    for context in contexts:
        rows = tokens.split(max(AT_ONCE // context, 1))
        columns.append(
            torch.cat(
                [_losses(model, each.to(device), context, scored, begin).cpu() for each in rows]
            )
        )
    return torch.stack(columns, dim=1)


def _losses(model: LanguageModel, tokens: Tensor, context: int, scored: int, begin: int) -> Tensor:
    """Return the mean loss of each stretch at one context, float64 (stretches,)."""
    start = torch.full_like(tokens[:, :1], begin)
    given = torch.cat([start, tokens[:, -context:-1]], dim=1)
    chosen = torch.zeros_like(given, dtype=torch.bool)
    chosen[:, -scored:] = True
    logits = model(given, chosen=chosen).float()
    each = functional.cross_entropy(logits, tokens[:, -scored:].flatten(), reduction="none")
    return each.view(-1, scored).double().mean(1)


def over_documents(losses: Tensor, stretches: Stretches) -> tuple[Tensor, Tensor]:
    """Return the mean loss and its standard error, (contexts,); documents count alike.

    `losses` (stretches, contexts). The error is NaN where there is one document.
    """
    numbers = stretches.document.unique()
    means = torch.stack([losses[stretches.document == number].mean(0) for number in numbers])
    if len(means) == 1:
        return means[0], torch.full_like(means[0], math.nan)
    return means.mean(0), means.std(0) / len(means) ** 0.5


def loss_on(model: LanguageModel, windows: Windows, batch_size: int) -> float:
    """Return the mean loss of all tokens of windows, in nats; without gradients if so called."""
    minimised = causal_loss()
    device = next(model.parameters()).device
    total = sum(
        float(minimised(model, batch.to(device))) * len(batch)
        for batch in in_order(windows, batch_size)
    )
    return total / len(windows)
