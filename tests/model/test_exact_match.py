"""One forward pass says what greedy decoding would write."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from positions.errors import InvalidValueError
from positions.model import LanguageModel, exact_match, generate, lengen_decoder, next_tokens

END, VOCABULARY = 1, 10
CONFIG = lengen_decoder(
    "small", vocabulary=VOCABULARY, width=32, heads=4, hidden=64, max_length=32, dropout=0.0
)
ENCODINGS = ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"]


def copying(length: int, rows: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Prompts 0 x x x 0 whose target is x x x and end-of-text, and where the target stands."""
    words = torch.randint(2, VOCABULARY, (rows, length), generator=generator)
    zero, end = torch.zeros(rows, 1, dtype=torch.int64), torch.full((rows, 1), END)
    tokens = torch.cat([zero, words, zero, words, end], dim=1)
    target = torch.zeros_like(tokens, dtype=torch.bool)
    target[:, length + 2 :] = True
    return tokens, target


def half_trained(encoding: str) -> LanguageModel:
    """A model that gets some copies right and some wrong."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(0)
    model = LanguageModel(CONFIG, encoding)
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(120):
        tokens, target = copying(1 + step % 2, 64, generator)
        model.loss(tokens, next_tokens(tokens, target)).backward()
        optimiser.step()
        optimiser.zero_grad()
    return model


def lay_out(texts: list[tuple[Tensor, Tensor]], side: str) -> tuple[Tensor, Tensor, Tensor]:
    length = max(len(tokens) for tokens, _ in texts) + 2
    tokens = torch.full((len(texts), length), 5)
    target, mask = (torch.zeros(len(texts), length, dtype=torch.bool) for _ in range(2))
    for n, (row, wanted) in enumerate(texts):
        start = length - len(row) if side == "left" else 0
        place = slice(start, start + len(row))
        tokens[n, place], target[n, place], mask[n, place] = row, wanted, True
    return tokens, target, mask


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_equals_greedy_decoding_on_a_trained_model(encoding: str):
    model = half_trained(encoding)
    generator = torch.Generator().manual_seed(1)
    texts = [
        (tokens[n], target[n])
        for length in (1, 2, 3)
        for tokens, target in [copying(length, 25, generator)]
        for n in range(25)
    ]
    decoded = []
    for tokens, target in texts:
        wanted = tokens[target].tolist()
        out = generate(model, tokens[~target][None], end=END, max_new=len(wanted) + 3)
        decoded.append(out.tokens[0][out.mask[0]].tolist() == wanted)
    assert any(decoded)
    assert not all(decoded)
    for side in ("left", "right"):
        tokens, target, mask = lay_out(texts, side)
        assert exact_match(model, tokens, target, mask).tolist() == decoded
    # On the right a causal model needs no mask at all.
    tokens, target, _ = lay_out(texts, "right")
    assert exact_match(model, tokens, target).tolist() == decoded


def test_ties_are_broken_as_in_decoding():
    """All logits equal: both take the lowest id, so only a target of it is a match."""
    model = LanguageModel(CONFIG, "nope")
    with torch.no_grad():
        model.transformer.embedding.weight.zero_()
    prompts = torch.tensor([[4, 5], [4, 5]])
    out = generate(model, prompts, end=END, max_new=2)
    assert out.rows() == [[0, 0], [0, 0]]
    tokens = torch.tensor([[4, 5, 0, 0], [4, 5, 0, 1]])
    target = torch.tensor([[False, False, True, True]] * 2)
    assert exact_match(model, tokens, target).tolist() == [True, False]


def test_one_wrong_token_spoils_its_own_row_alone():
    model = LanguageModel(CONFIG, "rotary")
    prompt = torch.tensor([[4, 5, 6], [7, 8, 9]])
    written = generate(model, prompt, end=None, max_new=5).tokens
    tokens = torch.cat([prompt, written], dim=1)
    target = torch.zeros_like(tokens, dtype=torch.bool)
    target[:, 3:] = True
    assert exact_match(model, tokens, target).tolist() == [True, True]
    for column in range(3, 8):
        spoilt = tokens.clone()
        spoilt[1, column] = (spoilt[1, column] + 1) % VOCABULARY
        assert exact_match(model, spoilt, target).tolist() == [True, False]


def test_a_target_without_a_token_before_it_is_refused():
    model = LanguageModel(CONFIG, "nope")
    tokens = torch.tensor([[4, 5, 6], [7, 8, 9]])
    inside = torch.tensor([[False, False, True]] * 2)
    first = torch.tensor([[True, False, True], [False, False, True]])
    none = torch.tensor([[False, False, False], [False, False, True]])
    hole = torch.tensor([[True, False, True], [True, True, True]])
    for target, mask in ((first, None), (none, None), (inside, hole)):
        with pytest.raises(InvalidValueError, match="Every row needs a target"):
            exact_match(model, tokens, target, mask)
    with pytest.raises(InvalidValueError, match=r"must be torch.bool of the tokens' shape"):
        exact_match(model, tokens, inside.long())
