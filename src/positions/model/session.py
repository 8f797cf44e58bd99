"""One generation under way: what was fed so far, and the logits of what comes next."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor, nn

from positions.model.cache import Cache
from positions.model.classifier import last_real


class NextToken(Protocol):
    """The forward pass of a decoder: logits (number chosen, vocabulary)."""

    def __call__(
        self, tokens: Tensor, mask: Tensor | None, /, *, chosen: Tensor | None, cache: Cache | None
    ) -> Tensor:
        """Return the logits of the chosen positions, row by row, or of all of them."""
        ...


@contextlib.contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Switch dropout and gradients off for a while."""
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(training)


class Session:
    """Feeds tokens to a decoder step by step, with a key-value cache or all over again."""

    def __init__(self, forward: NextToken, use_cache: bool) -> None:
        self.forward = forward
        self.cache = Cache() if use_cache else None
        self.tokens: Tensor | None = None
        self.mask: Tensor | None = None

    def feed(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Append tokens (batch, new) and return the logits (batch, vocabulary) that follow.

        Those after the last real token of each row; they mean nothing for a row without one.
        """
        if self.cache is None:
            tokens, mask = self._appended(tokens, mask)
        if tokens.shape[1] == 1:  # one token a row: nothing to pick out
            return self.forward(tokens, mask, chosen=None, cache=self.cache)[:, 0]
        chosen = torch.zeros_like(tokens, dtype=torch.bool)
        if mask is None:
            chosen[:, -1] = True
        else:
            chosen.scatter_(1, last_real(mask)[:, None], True)
        return self.forward(tokens, mask, chosen=chosen, cache=self.cache)

    def reorder(self, rows: Tensor) -> None:
        """Let row n continue what row `rows[n]` holds."""
        if self.cache is not None:
            self.cache.reorder(rows)
        if self.tokens is not None and self.mask is not None:
            self.tokens, self.mask = self.tokens[rows], self.mask[rows]

    def _appended(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        real = torch.ones_like(tokens, dtype=torch.bool) if mask is None else mask
        if self.tokens is not None and self.mask is not None:
            tokens = torch.cat([self.tokens, tokens], dim=1)
            real = torch.cat([self.mask, real], dim=1)
        self.tokens, self.mask = tokens, real
        return tokens, real
