"""The loss over chosen tokens, beside torch's own and beside its definition."""

from __future__ import annotations

import pytest
import torch

from positions.errors import InvalidValueError
from positions.training.losses import label_loss, token_loss


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
    with pytest.raises(InvalidValueError, match=r"\(2,\)"):
        label_loss(torch.zeros(3, 4), torch.zeros(2, dtype=torch.long))


def test_label_loss_is_torchs(case):
    logits, labels = torch.randn(6, 4), torch.randint(0, 4, (6,))
    expected = torch.nn.CrossEntropyLoss(label_smoothing=0.2)(logits, labels)
    torch.testing.assert_close(label_loss(logits, labels, 0.2), expected)
