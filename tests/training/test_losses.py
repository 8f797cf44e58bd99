"""The loss over chosen tokens, beside torch's own and beside its definition."""

from __future__ import annotations

import pytest
import torch

from positions.encodings import build
from positions.errors import InvalidValueError
from positions.model import (
    IGNORE,
    Classifier,
    LanguageModel,
    ModelConfig,
    Translator,
    TranslatorConfig,
    exact_match,
)
from positions.training.batches import TokenBatch
from positions.training.datasets import CausalDataset, LabelledDataset, PairDataset
from positions.training.losses import (
    causal_loss,
    label_loss,
    masked_loss,
    token_loss,
    translation_loss,
)


@pytest.fixture
def case():
    torch.manual_seed(0)
    logits = torch.randn(3, 5, 11, requires_grad=True)
    return logits, torch.randint(0, 11, (3, 5)), torch.rand(3, 5) < 0.6


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_it_is_the_mean_over_the_chosen_tokens_alone(case, smoothing):
    logits, targets, chosen = case
    reference = torch.nn.CrossEntropyLoss(label_smoothing=smoothing)
    expected = reference(logits[chosen], targets[chosen])
    torch.testing.assert_close(token_loss(logits, targets, chosen, smoothing), expected)


@pytest.mark.parametrize("smoothing", [-0.1, 1.1])
def test_a_share_to_smooth_by_is_from_0_to_1(case, smoothing):
    with pytest.raises(InvalidValueError, match=f"smoothing is {smoothing}; .*at most 1"):
        token_loss(*case, smoothing)


def test_smoothing_is_fairseqs_formula(case):
    """(1 - ε) · nll + ε / V · Σ -log p, as the translation runs of Wang & Chen (2020) had it."""
    logits, targets, chosen = case
    log_p = logits.log_softmax(-1)[chosen]
    nll = -log_p.gather(-1, targets[chosen, None]).squeeze(-1)
    expected = (0.9 * nll + 0.1 / 11 * -log_p.sum(-1)).mean()
    torch.testing.assert_close(token_loss(logits, targets, chosen, 0.1), expected)


def test_tokens_not_chosen_get_no_gradient(case):
    logits, targets, chosen = case
    token_loss(logits, targets, chosen).backward()
    assert logits.grad[~chosen].abs().max() == 0
    assert logits.grad[chosen].abs().amax(-1).min() > 0


def test_bfloat16_logits_are_summed_in_float32(case):
    logits, targets, chosen = case
    low = logits.detach().bfloat16()
    found = token_loss(low, targets, chosen)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, token_loss(low.float(), targets, chosen))


def test_shapes_that_do_not_fit_are_named(case):
    logits, targets, chosen = case
    with pytest.raises(InvalidValueError, match=r"\(3, 4\)"):
        token_loss(logits, targets[:, :-1], chosen)


# --- the models' own losses, fed from batches

SMALL = {"width": 16, "heads": 2, "layers": 1, "hidden": 32, "max_length": 32}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_decoder_is_asked_for_the_answers_alone(side, smoothing):
    """Beside a forward pass over each sequence by itself, without padding."""
    examples = [([5, 3, 7, 2, 1], [0, 0, 0, 1, 1]), ([6, 4, 1], [0, 1, 1]), ([2, 2], [0, 1])]
    model = LanguageModel(ModelConfig(vocabulary=9, causal=True, **SMALL), build_nope())
    batch = CausalDataset(examples, vocabulary=9, side=side).batch(torch.tensor([0, 1, 2]))
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=smoothing, reduction="none")
    each = []
    for tokens, marks in examples:
        logits = model(torch.tensor([tokens]))[0]
        losses = criterion(logits[:-1], torch.tensor(tokens[1:]))
        each += [value for value, mark in zip(losses, marks[1:], strict=True) if mark]
    assert len(each) == batch.weight == 5
    torch.testing.assert_close(causal_loss(smoothing)(model, batch), torch.stack(each).mean())


def test_what_exact_match_asks_for_is_what_the_loss_learns():
    examples = [([5, 3, 7, 2, 1], [0, 0, 0, 1, 1]), ([6, 4, 1], [0, 1, 1])]
    batch = CausalDataset(examples, vocabulary=9).batch(torch.tensor([0, 1]))
    assert [row[mark].tolist() for row, mark in zip(batch.tokens, batch.target, strict=True)] == [
        [2, 1],
        [4, 1],
    ]
    model = LanguageModel(ModelConfig(vocabulary=9, causal=True, **SMALL), build_nope())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(60):
        optimizer.zero_grad()
        causal_loss()(model, batch).backward()
        optimizer.step()
    assert exact_match(model, batch.tokens, batch.target, batch.mask).tolist() == [True, True]


def build_nope():
    return build("nope", width=16, heads=2, max_length=32)


def test_a_masked_model_is_asked_for_what_stood_there():
    model = LanguageModel(ModelConfig(vocabulary=9, causal=False, **SMALL), build_nope())
    tokens = torch.tensor([[8, 3, 8, 2]])
    labels = torch.tensor([[5, IGNORE, 7, IGNORE]])
    batch = TokenBatch(tokens, torch.ones_like(tokens, dtype=torch.bool), labels)
    logits = model(tokens)[0]
    expected = torch.nn.functional.cross_entropy(logits[[0, 2]], torch.tensor([5, 7]))
    torch.testing.assert_close(masked_loss()(model, batch), expected)


def test_a_classifier_is_asked_for_labels():
    config = ModelConfig(vocabulary=9, causal=False, **SMALL)
    model = Classifier(config, build_nope(), classes=3, readout="mean")
    data = LabelledDataset([[1, 2], [3]], [2, 0], vocabulary=9, classes=3)
    batch = data.batch(torch.tensor([0, 1]))
    logits = torch.cat([model(torch.tensor([[1, 2]])), model(torch.tensor([[3]]))])
    expected = torch.nn.functional.cross_entropy(logits, torch.tensor([2, 0]))
    torch.testing.assert_close(label_loss()(model, batch), expected)


def test_a_translator_is_asked_for_the_next_token_of_the_target():
    config = TranslatorConfig(
        encoder=ModelConfig(vocabulary=9, causal=False, **SMALL),
        decoder=ModelConfig(vocabulary=7, causal=True, **SMALL),
    )
    model = Translator(config, build_nope(), build_nope())
    sources, targets = [[1, 2, 3], [4]], [[0, 5, 6], [0, 4, 4, 6]]
    data = PairDataset(sources, targets, source_vocabulary=9, target_vocabulary=7)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1, reduction="none")
    each = []
    for source, target in zip(sources, targets, strict=True):
        logits = model(torch.tensor([source]), torch.tensor([target]))[0]
        each.append(criterion(logits[:-1], torch.tensor(target[1:])))
    loss = translation_loss(0.1)(model, data.batch(torch.tensor([0, 1])))
    torch.testing.assert_close(loss, torch.cat(each).mean())
