"""Language models: causal, or masked where the config's stack looks both ways."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from positions.checks import check_number
from positions.model.cache import Cache
from positions.model.checks import IGNORE, asked, check_mask
from positions.model.config import ModelConfig
from positions.model.initialise import initialise
from positions.model.output import VocabularyOutput
from positions.model.placement import EncodingSpec
from positions.model.trace import Trace
from positions.model.transformer import Transformer


class LanguageModel(nn.Module):
    """A stack with an output over the vocabulary.

    With `causal=True` in the config it predicts the next token (GPT-2, the decoder of Kazemnejad
    et al. (2023)); with False it sees the whole text and predicts masked tokens (BERT).
    """

    def __init__(self, config: ModelConfig, encoding: EncodingSpec) -> None:
        super().__init__()
        self.config = config
        self.transformer = Transformer(config, encoding)
        self.output = VocabularyOutput(config)
        initialise(self, config)

    def forward(
        self,
        tokens: Tensor,
        mask: Tensor | None = None,
        *,
        segments: Tensor | None = None,
        chosen: Tensor | None = None,
        cache: Cache | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return logits (batch, length, vocabulary) of tokens (batch, length).

        With `chosen`, boolean (batch, length), logits (number chosen, vocabulary) of those
        positions alone, row by row: a large vocabulary makes the others dear. `mask`, `segments`,
        `cache` and errors as in `Transformer.forward`.
        """
        hidden = self.transformer(tokens, mask, segments=segments, cache=cache, trace=trace)
        return logits_at(hidden, chosen, tokens, self.output, self.transformer.embedding.weight)

    def loss(
        self,
        tokens: Tensor,
        labels: Tensor,
        mask: Tensor | None = None,
        *,
        segments: Tensor | None = None,
        smoothing: float = 0.0,
    ) -> Tensor:
        """Return the mean cross-entropy in nats a label.

        `labels` (batch, length) name what each position must predict, `IGNORE` (-100) for nothing;
        `next_tokens` makes them for a causal model. `smoothing`: Szegedy et al. (2016). Raises
        `InvalidValueError` for labels of another shape, out of range or all ignored, and for a
        smoothing that is not from 0 to 1.
        """
        check_number("smoothing", smoothing, at_least=0, at_most=1)
        chosen, wanted = asked(labels, tokens, 2, self.config.vocabulary)
        logits = self(tokens, mask, segments=segments, chosen=chosen)
        return functional.cross_entropy(logits.float(), wanted, label_smoothing=smoothing)


def next_tokens(tokens: Tensor, target: Tensor) -> Tensor:
    """Return the labels of a causal model: at each position the token after it.

    `target` (batch, length), boolean, is True for the tokens that are to be predicted; the others
    become `IGNORE`. Nothing stands before the first column, so it is never predicted.
    """
    check_mask(target, tokens, "target")
    labels = torch.full_like(tokens, IGNORE, dtype=torch.int64)
    labels[:, :-1] = torch.where(target[:, 1:], tokens[:, 1:], IGNORE)
    return labels


def logits_at(
    hidden: Tensor,
    chosen: Tensor | None,
    tokens: Tensor,
    output: VocabularyOutput,
    embedding: Tensor,
) -> Tensor:
    """Return the logits of all positions, or of the chosen ones row by row."""
    if chosen is not None:
        check_mask(chosen, tokens, "choice of positions")
        hidden = hidden[chosen]
    logits: Tensor = output(hidden, embedding)
    return logits
