"""A text in, one class out."""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional

from positions.errors import InvalidValueError, unknown_name
from positions.model.checks import asked
from positions.model.config import ModelConfig
from positions.model.initialise import initialise
from positions.model.placement import EncodingSpec
from positions.model.trace import Trace
from positions.model.transformer import Transformer

Readout = Literal["last_padded", "last_real", "first", "mean"]


class Classifier(nn.Module):
    """A stack, a read-out of one vector per text, and a linear layer.

    Wang & Chen (2020), section 5.1, read the vector at the last position of the padded batch
    ("last_padded"): a pad for every text shorter than the longest of its batch, so that answers
    depend on the batch. The others do not: the last real token ("last_real"), the first real token
    ("first") and the mean over real tokens ("mean"). Raises `UnknownNameError` for another name.
    """

    def __init__(
        self,
        config: ModelConfig,
        encoding: EncodingSpec,
        classes: int,
        readout: Readout = "last_padded",
    ) -> None:
        super().__init__()
        if readout not in get_args(Readout):
            raise unknown_name("read-out", readout, get_args(Readout))
        if isinstance(classes, bool) or not isinstance(classes, int) or classes < 2:
            raise InvalidValueError(f"classes is {classes!r}; it must be a whole number above 1.")
        self.config, self.classes, self.readout = config, classes, readout
        self.transformer = Transformer(config, encoding)
        self.out = nn.Linear(config.width, classes)
        initialise(self, config)

    def forward(
        self, tokens: Tensor, mask: Tensor | None = None, *, trace: Trace | None = None
    ) -> Tensor:
        """Return logits (batch, classes) of tokens (batch, length); mask as in `Transformer`."""
        hidden = self.transformer(tokens, mask, trace=trace)
        logits: Tensor = self.out(read_out(hidden, mask, self.readout))
        return logits

    def loss(self, tokens: Tensor, labels: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the mean cross-entropy, nats a text, of labels (batch,).

        Raises `InvalidValueError` for labels of another shape or out of range.
        """
        _, wanted = asked(labels, tokens, 1, self.classes)
        if wanted.numel() < labels.numel():
            raise InvalidValueError("A text has no label; leave it out of the batch.")
        return functional.cross_entropy(self(tokens, mask).float(), labels)


def read_out(hidden: Tensor, mask: Tensor | None, readout: Readout) -> Tensor:
    """Return one vector per row, (batch, width), of hidden states (batch, length, width)."""
    if readout == "last_padded" or (mask is None and readout == "last_real"):
        return hidden[:, -1]
    if mask is None:
        return hidden[:, 0] if readout == "first" else hidden.mean(1)
    if readout == "mean":
        weights = mask.to(hidden.dtype)[:, :, None]
        return (hidden * weights).sum(1) / weights.sum(1).clamp(min=1)
    place = first_real(mask) if readout == "first" else last_real(mask)
    return hidden[torch.arange(len(place), device=place.device), place]


def first_real(mask: Tensor) -> Tensor:
    """Return the column of each row's first real token, (batch,); 0 for a row without one."""
    return mask.int().argmax(1)


def last_real(mask: Tensor) -> Tensor:
    """Return the column of each row's last real token, (batch,); the last for a row without one."""
    return mask.shape[1] - 1 - mask.flip(1).int().argmax(1)
