"""An encoder that reads a source text and a decoder that writes a target text."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from positions.checks import check_number
from positions.model.cache import Cache
from positions.model.checks import asked
from positions.model.config import TranslatorConfig
from positions.model.decoder import logits_at
from positions.model.initialise import initialise
from positions.model.output import VocabularyOutput
from positions.model.placement import EncodingSpec
from positions.model.trace import Trace
from positions.model.transformer import Memory, Transformer


class Translator(nn.Module):
    """An encoder and a decoder, each with an encoding of its own.

    Vaswani et al. (2017). The encodings serve self-attention on either side; the decoder's
    attention to the source has none, in T5-type models too.
    """

    def __init__(
        self, config: TranslatorConfig, source_encoding: EncodingSpec, target_encoding: EncodingSpec
    ) -> None:
        super().__init__()
        self.config = config
        self.encoder = Transformer(config.encoder, source_encoding)
        self.decoder = Transformer(config.decoder, target_encoding, cross=True)
        self.output = VocabularyOutput(config.decoder)
        initialise(self.encoder, config.encoder)
        initialise(self.decoder, config.decoder)
        initialise(self.output, config.decoder)

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        source_mask: Tensor | None = None,
        target_mask: Tensor | None = None,
        *,
        chosen: Tensor | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return logits (batch, target length, vocabulary), as `decode` does.

        `source` (batch, source length), `target` (batch, target length): what the decoder is given,
        so its first column is the start token. `trace` follows the decoder.
        """
        memory = self.encode(source, source_mask)
        return self.decode(target, target_mask, memory, chosen=chosen, trace=trace)

    def encode(
        self, source: Tensor, mask: Tensor | None = None, *, trace: Trace | None = None
    ) -> Memory:
        """Return what the decoder reads of source (batch, length)."""
        return Memory(self.encoder(source, mask, trace=trace), mask)

    def decode(
        self,
        target: Tensor,
        mask: Tensor | None,
        memory: Memory,
        *,
        chosen: Tensor | None = None,
        cache: Cache | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return logits (batch, length, vocabulary) of target (batch, length), given the memory.

        With `chosen`, those positions alone, as in `LanguageModel.forward`.
        """
        hidden = self.decoder(target, mask, memory=memory, cache=cache, trace=trace)
        return logits_at(hidden, chosen, target, self.output, self.decoder.embedding.weight)

    def loss(
        self,
        source: Tensor,
        target: Tensor,
        labels: Tensor,
        source_mask: Tensor | None = None,
        target_mask: Tensor | None = None,
        *,
        smoothing: float = 0.0,
    ) -> Tensor:
        """Return the mean cross-entropy in nats a label.

        `labels` (batch, target length) name what each target position must predict, `IGNORE`
        (-100) for nothing; `smoothing` and errors as in `LanguageModel.loss`.
        """
        check_number("smoothing", smoothing, at_least=0, at_most=1)
        chosen, wanted = asked(labels, target, 2, self.config.decoder.vocabulary)
        logits = self(source, target, source_mask, target_mask, chosen=chosen)
        return functional.cross_entropy(logits.float(), wanted, label_smoothing=smoothing)
