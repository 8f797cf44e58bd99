"""What is minimised: cross-entropy over chosen tokens, or over labels.

The papers' models know their loss; a function here says which parts of a batch it is taken of.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor
from torch.nn import functional

from positions.checks import check_number
from positions.errors import InvalidValueError
from positions.model import IGNORE, Classifier, LanguageModel, Translator
from positions.training.batches import LabelledBatch, PairBatch, TokenBatch


def token_loss(logits: Tensor, targets: Tensor, chosen: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy (nats) over the chosen tokens, a float32 scalar.

    `logits` (batch, length, vocabulary): row i scores `targets` (batch, length) at i, so for a
    decoder the targets are the tokens one step ahead. `chosen` (batch, length), bool: which of
    them count; with none the mean is NaN. `smoothing` spreads that share of the probability evenly
    over the vocabulary (Szegedy et al. 2016, section 7). Raises `InvalidValueError` for shapes
    that do not belong together, and for a smoothing that is not from 0 to 1.
    """
    check_number("smoothing", smoothing, at_least=0, at_most=1)
    if logits.shape[:-1] != targets.shape or chosen.shape != targets.shape:
        raise InvalidValueError(
            f"logits {tuple(logits.shape)}, targets {tuple(targets.shape)} and chosen "
            f"{tuple(chosen.shape)} must be (batch, length, vocabulary), (batch, length) and "
            "(batch, length)."
        )
    return functional.cross_entropy(
        logits.flatten(0, -2).float(),  # logarithms in float32, whatever the model computes in
        targets.masked_fill(~chosen, IGNORE).flatten(),
        ignore_index=IGNORE,
        label_smoothing=smoothing,
    )


def causal_loss(smoothing: float = 0.0) -> Callable[[LanguageModel, TokenBatch], Tensor]:
    """Return the loss of a decoder: each place predicts the token after it."""

    def loss(model: LanguageModel, batch: TokenBatch) -> Tensor:
        # the last column has no token after it, so it need not be computed
        tokens, mask, labels = (x[:, :-1] for x in (batch.tokens, batch.mask, batch.labels))
        return model.loss(tokens, labels, mask, smoothing=smoothing)

    return loss


def masked_loss(smoothing: float = 0.0) -> Callable[[LanguageModel, TokenBatch], Tensor]:
    """Return the loss of a masked language model: a place predicts the token that stood there."""

    def loss(model: LanguageModel, batch: TokenBatch) -> Tensor:
        return model.loss(batch.tokens, batch.labels, batch.mask, smoothing=smoothing)

    return loss


def label_loss() -> Callable[[Classifier, LabelledBatch], Tensor]:
    """Return the loss of a classifier: one label a sequence."""

    def loss(model: Classifier, batch: LabelledBatch) -> Tensor:
        return model.loss(batch.tokens, batch.labels, batch.mask)

    return loss


def translation_loss(smoothing: float = 0.0) -> Callable[[Translator, PairBatch], Tensor]:
    """Return the loss of a translator: each place of the target predicts the token after it."""

    def loss(model: Translator, batch: PairBatch) -> Tensor:
        return model.loss(
            batch.source,
            batch.target,
            batch.labels,
            batch.source_mask,
            batch.target_mask,
            smoothing=smoothing,
        )

    return loss
