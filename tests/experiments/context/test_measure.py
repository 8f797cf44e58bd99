"""Losses by context, against a model fed by hand."""

import math

import numpy as np
import pytest
import torch

from positions.experiments.context import measure
from positions.experiments.context.text import Stretches, Windows
from positions.model import LanguageModel, lengen_decoder

VOCABULARY, BEGIN, SCORED = 11, 0, 3
CONTEXTS = (4, 7, 12)


def model(encoding="alibi") -> LanguageModel:
    torch.manual_seed(0)
    shape = lengen_decoder(
        "small", vocabulary=VOCABULARY, max_length=8, width=16, heads=2, layers=2, hidden=16
    )
    return LanguageModel(shape, encoding).eval()


@pytest.fixture
def tokens() -> torch.Tensor:
    return torch.randint(1, VOCABULARY, (5, 12), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("encoding", ["nope", "t5", "alibi", "rotary", "sinusoidal"])
def test_each_token_is_predicted_from_the_context_before_it(encoding, tokens, monkeypatch) -> None:
    monkeypatch.setattr(measure, "AT_ONCE", 20)  # several batches
    here = model(encoding)
    found = measure.losses(here, tokens, CONTEXTS, SCORED, BEGIN)
    for row, text in enumerate(tokens.tolist()):
        for column, context in enumerate(CONTEXTS):
            given = [BEGIN, *text[len(text) - context : -1]]
            assert len(given) == context
            with torch.no_grad():
                chances = here(torch.tensor([given])).log_softmax(-1)[0]
            each = [
                -float(chances[context - SCORED + n, text[len(text) - SCORED + n]])
                for n in range(SCORED)
            ]
            assert float(found[row, column]) == pytest.approx(sum(each) / SCORED, rel=1e-5)


def test_a_model_that_knows_nothing_has_the_perplexity_of_its_vocabulary(tokens) -> None:
    here = model()
    with torch.no_grad():
        here.transformer.embedding.weight.zero_()
    found = measure.losses(here, tokens, CONTEXTS, SCORED, BEGIN)
    assert found.numpy() == pytest.approx(math.log(VOCABULARY))


def test_documents_count_alike_however_many_stretches_they_give() -> None:
    losses = torch.tensor([[1.0, 2.0], [3.0, 4.0], [6.0, 9.0]], dtype=torch.float64)
    found = Stretches(torch.zeros(3, 4), torch.tensor([0, 0, 5]), documents=6)
    mean, error = measure.over_documents(losses, found)
    assert mean.tolist() == [4.0, 6.0]
    spread = [np.std([2, 6], ddof=1), np.std([3, 9], ddof=1)]
    assert error.tolist() == pytest.approx([each / math.sqrt(2) for each in spread])


def test_one_document_has_no_error() -> None:
    found = Stretches(torch.zeros(1, 4), torch.tensor([0]), documents=1)
    _, error = measure.over_documents(torch.ones(1, 2), found)
    assert error.isnan().all()


def test_loss_on_windows_is_the_mean_over_all_tokens() -> None:
    here = model()
    windows = Windows([np.arange(1, 11, dtype=np.int32)] * 3, 5, begin=BEGIN)
    batch = windows.batch(torch.arange(len(windows)))
    with torch.no_grad():
        expected = float(here.loss(batch.tokens, batch.labels))
        assert measure.loss_on(here, windows, 4) == pytest.approx(expected, rel=1e-5)
