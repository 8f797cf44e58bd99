"""Blocks, and what is asked of them."""

import numpy as np
import pytest
import torch

from positions.errors import InvalidValueError
from positions.experiments.language_modelling.text import (
    Blocks,
    ask,
    hidden_tokens,
    next_token,
    training_batches,
    with_marks,
)
from positions.model import IGNORE
from positions.training.randomness import generator

VOCABULARY = with_marks(300, begin=0)
DOCUMENTS = (np.arange(1, 24, dtype=np.int32), np.arange(24, 31, dtype=np.int32))


def test_causal_blocks_hold_the_text_over_the_edges_of_documents() -> None:
    blocks = Blocks(DOCUMENTS, 10, "causal", VOCABULARY, "test")
    assert blocks.tokens.flatten().tolist() == list(range(1, 31))


def test_masked_blocks_stand_between_marks_and_the_rest_is_dropped() -> None:
    blocks = Blocks(DOCUMENTS, 10, "masked", VOCABULARY, "test")
    assert blocks.tokens.shape == (3, 10)
    assert blocks.tokens[:, 1:-1].flatten().tolist() == list(range(1, 25))
    assert set(blocks.tokens[:, 0].tolist()) == {0} and set(blocks.tokens[:, -1].tolist()) == {300}


def test_some_blocks_are_spread_over_the_text() -> None:
    blocks = Blocks(DOCUMENTS, 3, "causal", VOCABULARY, "test", most=4)
    assert blocks.tokens[:, 0].tolist() == [1, 10, 19, 28]
    assert len(Blocks(DOCUMENTS, 3, "causal", VOCABULARY, "test", most=99)) == 10


def test_a_text_shorter_than_a_block_is_said() -> None:
    with pytest.raises(InvalidValueError, match=r"The test text has 30 tokens.*takes 31.*length"):
        Blocks(DOCUMENTS, 31, "causal", VOCABULARY, "test")
    assert len(Blocks(DOCUMENTS, 32, "masked", VOCABULARY, "test")) == 1


def test_a_causal_model_is_asked_for_the_token_after_each() -> None:
    batch = next_token(torch.tensor([[5, 6, 7]]))
    assert batch.labels.tolist() == [[6, 7, IGNORE]]
    assert batch.tokens.tolist() == [[5, 6, 7]]


def test_hidden_tokens_come_in_their_shares() -> None:
    """15 % of the tokens between the marks; 80, 10 and 10 % of them mask, any and the same."""
    tokens = torch.full((2_000, 102), 7)
    tokens[:, 0], tokens[:, -1] = VOCABULARY.begin, VOCABULARY.end
    batch = hidden_tokens(tokens, VOCABULARY, generator(0))
    asked = batch.labels != IGNORE
    assert not asked[:, [0, -1]].any()
    assert asked[:, 1:-1].float().mean() == pytest.approx(0.15, abs=0.004)
    given = batch.tokens[asked]
    assert (given == VOCABULARY.mask).float().mean() == pytest.approx(0.8, abs=0.01)
    assert (given == 7).float().mean() == pytest.approx(0.1, abs=0.01)
    assert (batch.labels[asked] == 7).all()
    assert torch.equal(batch.tokens[~asked], tokens[~asked])


def test_something_is_always_asked_for() -> None:
    tokens = torch.tensor([[0, 7, 300]])
    weights = {hidden_tokens(tokens, VOCABULARY, generator(n)).weight for n in range(40)}
    assert weights == {1}


def test_each_step_hides_other_tokens_and_the_same_ones_when_asked_again() -> None:
    blocks = Blocks((np.arange(1, 600, dtype=np.int32) % 250,), 62, "masked", VOCABULARY, "test")
    batches = training_batches("masked", blocks, VOCABULARY, batch_size=99, seed=0)
    assert torch.equal(batches(0).labels, batches(0).labels)
    shares = [(batches(step).labels != IGNORE).sum(0) for step in (0, 1)]
    assert not torch.equal(*shares)
    other = training_batches("masked", blocks, VOCABULARY, batch_size=99, seed=1)
    assert not torch.equal(other(0).labels, batches(0).labels)
    fixed = [ask("masked", blocks.tokens, VOCABULARY, "hidden", "test").labels for _ in range(2)]
    assert torch.equal(*fixed)
