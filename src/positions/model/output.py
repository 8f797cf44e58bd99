"""From hidden states to logits over the vocabulary."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from positions.model.config import ModelConfig
from positions.model.layers import activate, make_norm


class VocabularyOutput(nn.Module):
    """The last linear map of a language model or translator, tied to the embeddings or its own.

    Tied: Press & Wolf (2017). With `output_scale` the hidden states are multiplied by width^-1/2
    first, as in T5; with `output_transform` a dense layer, activation and norm come before, as in
    BERT's masked language model.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.activation = config.activation
        self.scale = config.width**-0.5 if config.output_scale != "none" else 1.0
        own, biased = not config.tied, config.output_bias
        size = (config.vocabulary, config.width)
        self.matrix = nn.Parameter(torch.empty(size)) if own else None
        self.bias = nn.Parameter(torch.zeros(config.vocabulary)) if biased else None
        transform = config.output_transform
        self.transform = nn.Linear(config.width, config.width) if transform else None
        self.transform_norm = make_norm(config) if transform else None
        if self.matrix is not None:
            nn.init.kaiming_uniform_(self.matrix, a=5**0.5)  # as nn.Linear does

    def forward(self, hidden: Tensor, embedding: Tensor) -> Tensor:
        """Return logits (..., vocabulary) of hidden states (..., width)."""
        if self.transform is not None and self.transform_norm is not None:
            hidden = self.transform_norm(activate(self.transform(hidden), self.activation))
        if self.scale != 1.0:
            hidden = hidden * self.scale
        return functional.linear(
            hidden, embedding if self.matrix is None else self.matrix, self.bias
        )
