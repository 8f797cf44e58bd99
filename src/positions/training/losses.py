"""What is minimised: cross-entropy over chosen tokens, or over labels."""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812 (the name everybody uses)
from torch import Tensor

from positions.errors import InvalidValueError

IGNORED = -100


def token_loss(logits: Tensor, targets: Tensor, chosen: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy (nats) over the chosen tokens, a float32 scalar.

    `logits` (batch, length, vocabulary): row i scores `targets` (batch, length) at i, so for a
    decoder the targets are the tokens one step ahead. `chosen` (batch, length), bool: which of
    them count; with none the mean is NaN. `smoothing` spreads that share of the probability evenly
    over the vocabulary (Szegedy et al. 2016, section 7). Raises `InvalidValueError` for shapes
    that do not belong together.
    """
    if logits.shape[:-1] != targets.shape or chosen.shape != targets.shape:
        raise InvalidValueError(
            f"logits {tuple(logits.shape)}, targets {tuple(targets.shape)} and chosen "
            f"{tuple(chosen.shape)} must be (batch, length, vocabulary), (batch, length) and "
            "(batch, length)."
        )
    return F.cross_entropy(
        logits.flatten(0, -2).float(),  # logarithms in float32, whatever the model computes in
        targets.masked_fill(~chosen, IGNORED).flatten(),
        ignore_index=IGNORED,
        label_smoothing=smoothing,
    )


def label_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy (nats) of `logits` (batch, classes) and `labels` (batch,)."""
    if logits.shape[:-1] != labels.shape:
        raise InvalidValueError(
            f"logits {tuple(logits.shape)} and labels {tuple(labels.shape)} must be "
            "(batch, classes) and (batch,)."
        )
    return F.cross_entropy(logits.float(), labels, label_smoothing=smoothing)
