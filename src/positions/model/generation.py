"""Generation: what a model writes, greedily or by beam search."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from positions.checks import check_flag, check_number, check_whole
from positions.errors import InvalidValueError
from positions.model.beam import Search, beam_search
from positions.model.cache import Cache
from positions.model.checks import check_mask, check_tokens
from positions.model.decoder import LanguageModel
from positions.model.session import NextToken, Session, evaluating
from positions.model.translator import Translator


@dataclass(frozen=True)
class Generation:
    """What was written after each prompt.

    `tokens` (batch, new) with `mask` (batch, new) True where one was written, end-of-text included;
    `ended` (batch,): whether by end-of-text; `scores` (batch,): the log-probability in nats, in
    beam search divided by length^penalty.
    """

    tokens: Tensor
    mask: Tensor
    ended: Tensor
    scores: Tensor

    def rows(self) -> list[list[int]]:
        """Return each row's tokens, end-of-text left out."""
        lengths = (self.mask.sum(1) - self.ended.int()).tolist()
        return [row[:n] for row, n in zip(self.tokens.tolist(), lengths, strict=True)]


def generate(
    model: LanguageModel,
    prompts: Tensor,
    mask: Tensor | None = None,
    *,
    end: int | None,
    max_new: int | None = None,
    max_length: int | None = None,
    beams: int = 1,
    length_penalty: float = 1.0,
    use_cache: bool = True,
) -> Generation:
    """Continue each prompt to the token `end` or the limit, greedily or with several `beams`.

    `prompts` (batch, length), padded on any side, with `mask` as in `Transformer.forward`. A row
    stops after `max_new` tokens, and where prompt and new tokens together are `max_length`; give
    one or both. With `end` None it stops there alone. No row's tokens depend on its batch, its
    padding or the cache. Raises `InvalidValueError` for input that does not fit, and where a
    learned table is too short.
    """
    if not model.config.causal:
        raise InvalidValueError(
            "A masked language model cannot continue a text; build one with causal=True."
        )
    check_tokens(prompts, model.config.vocabulary, "prompts")
    _check_end(end, model.config.vocabulary)
    lengths = [prompts.shape[1]] * len(prompts)
    if mask is not None:
        check_mask(mask, prompts)
        lengths = mask.sum(1).tolist()
        if 0 in lengths:
            raise InvalidValueError(
                f"Row {lengths.index(0)} of the prompts is all padding; it needs a token to start "
                "from."
            )
        mask = None if bool(mask.all()) else mask
    limits = _limits(lengths, max_new, max_length)
    with evaluating(model):
        return _write(model, prompts, mask, limits, end, beams, length_penalty, use_cache)


def translate(
    model: Translator,
    source: Tensor,
    mask: Tensor | None = None,
    *,
    start: int,
    end: int | None,
    max_new: int,
    beams: int = 1,
    length_penalty: float = 1.0,
    use_cache: bool = True,
) -> Generation:
    """Translate source (batch, length), from the token `start` to `end` or `max_new` tokens.

    As `generate` otherwise.
    """
    vocabulary = model.config.decoder.vocabulary
    check_tokens(source, model.config.encoder.vocabulary, "source")
    check_whole("start (the id of the start token)", start, 0, vocabulary - 1)
    _check_end(end, vocabulary)
    first = torch.full((len(source), 1), start, device=source.device)
    limits = _limits([1] * len(source), max_new, None)
    with evaluating(model):
        memory = model.encode(source, mask)
        if beams > 1:
            memory = memory.repeated(beams)

        def forward(
            tokens: Tensor, real: Tensor | None, *, chosen: Tensor | None, cache: Cache | None
        ) -> Tensor:
            return model.decode(tokens, real, memory, chosen=chosen, cache=cache)

        return _write(forward, first, None, limits, end, beams, length_penalty, use_cache)


def _check_end(end: int | None, vocabulary: int) -> None:
    if end is not None:
        check_whole("end (the id of the end-of-text token, or None)", end, 0, vocabulary - 1)


def _limits(lengths: list[int], max_new: int | None, max_length: int | None) -> list[int]:
    """Return how many tokens each row may get."""
    for name, value in (("max_new", max_new), ("max_length", max_length)):
        if value is not None:
            check_whole(name, value, 1)
    if max_new is None and max_length is None:
        raise InvalidValueError("Give max_new (new tokens) or max_length (prompt included).")
    limits = [max_new if max_length is None else max(max_length - n, 0) for n in lengths]
    return [n if max_new is None or n is None else min(n, max_new) for n in limits]  # type: ignore


def _write(
    forward: NextToken,
    prompts: Tensor,
    mask: Tensor | None,
    limits: list[int],
    end: int | None,
    beams: int,
    penalty: float,
    use_cache: bool,
) -> Generation:
    check_whole("beams", beams, 1)
    check_number("length_penalty", penalty)
    check_flag("use_cache", use_cache)
    session = Session(forward, use_cache)
    if beams == 1:
        return _greedy(session, prompts, mask, limits, end)
    prompts = prompts.repeat_interleave(beams, dim=0)
    mask = None if mask is None else mask.repeat_interleave(beams, dim=0)
    searches = [Search(beams, limit, penalty, end) for limit in limits]
    found = beam_search(session, prompts, mask, searches)
    longest = max(len(one.tokens) for one in found)
    device = prompts.device
    padded = [one.tokens + [0] * (longest - len(one.tokens)) for one in found]
    lengths = torch.tensor([len(one.tokens) for one in found], device=device)
    return Generation(
        tokens=torch.tensor(padded, dtype=torch.int64, device=device),
        mask=torch.arange(longest, device=device) < lengths[:, None],
        ended=torch.tensor([one.ended for one in found], device=device),
        scores=torch.tensor([one.score for one in found], device=device),
    )


def _greedy(
    session: Session, prompts: Tensor, mask: Tensor | None, limits: list[int], end: int | None
) -> Generation:
    limit = torch.tensor(limits, device=prompts.device)
    alive = limit > 0
    ended = torch.zeros_like(alive)
    scores = torch.zeros(len(prompts), device=prompts.device)
    written: list[Tensor] = []
    real: list[Tensor] = []
    tokens = prompts
    while bool(alive.any()):
        logits = session.feed(tokens, mask)
        # A row that has stopped writes padding, which nothing sees or counts.
        choice = logits.argmax(-1).masked_fill(~alive, 0)
        log_probability = logits.float().log_softmax(-1).gather(1, choice[:, None])[:, 0]
        scores += log_probability.masked_fill(~alive, 0.0)
        written.append(choice)
        real.append(alive)
        ends = alive & (choice == (-1 if end is None else end))
        ended = ended | ends
        alive = alive & ~ends & (limit > len(written))
        tokens, mask = choice[:, None], None if bool(alive.all()) else alive[:, None]
    if not written:
        none = prompts[:, :0]
        return Generation(none, none.bool(), ended, scores)
    return Generation(torch.stack(written, 1), torch.stack(real, 1), ended, scores)
