"""Which parameters are decayed, and that the update is AdamW's."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from positions.errors import InvalidValueError
from positions.training.optimizer import build_optimizer, parameter_groups
from positions.training.plan import TrainingPlan


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.norm = nn.LayerNorm(4)
        self.bias_table = nn.Parameter(torch.ones(4))
        self.frozen = nn.Parameter(torch.ones(4), requires_grad=False)
        self.last = nn.Linear(4, 4, bias=False)
        self.last_again = self.last

    def forward(self, x):
        return self.last(self.norm(self.first(x)) + self.bias_table + self.frozen)


def plan(**fields):
    return TrainingPlan(**{"steps": 5, "batch_size": 1, "learning_rate": 0.01} | fields)


def names(model, group):
    by_id = {id(value): name for name, value in model.named_parameters()}
    return {by_id[id(value)] for value in group["params"]}


def test_biases_and_norms_are_spared_by_default():
    model = Small()
    decayed, spared = parameter_groups(model, plan(weight_decay=0.05))
    assert names(model, decayed) == {"first.weight", "last.weight"}
    assert names(model, spared) == {"first.bias", "norm.weight", "norm.bias", "bias_table"}
    assert (decayed["weight_decay"], spared["weight_decay"]) == (0.05, 0.0)


def test_only_names_with_bias_are_spared_where_the_plan_says_so():
    model = Small()
    decayed, spared = parameter_groups(model, plan(weight_decay=0.05, decay_exempt=("bias",)))
    assert names(model, decayed) == {"first.weight", "last.weight", "norm.weight"}
    assert names(model, spared) == {"first.bias", "norm.bias", "bias_table"}


def test_a_frozen_model_is_refused():
    with pytest.raises(InvalidValueError, match="no trainable parameter"):
        parameter_groups(Small().requires_grad_(False), plan())


def test_updates_are_those_of_the_algorithm_written_out():
    """Loshchilov & Hutter (2019), algorithm 2, in float64 beside the fused kernel."""
    torch.manual_seed(0)
    model, settings = Small().double(), plan(weight_decay=0.1, betas=(0.8, 0.95), eps=1e-6)
    optimizer = build_optimizer(model, settings)
    w = {name: p.detach().clone() for name, p in model.named_parameters()}
    m = {name: torch.zeros_like(p) for name, p in w.items()}
    v = {name: torch.zeros_like(p) for name, p in w.items()}
    for t in range(1, 6):
        model(torch.randn(7, 3, dtype=torch.float64)).square().mean().backward()
        for name, p in model.named_parameters():
            if p.grad is None:
                continue
            decay = 0.1 if name in ("first.weight", "last.weight") else 0.0
            m[name] = 0.8 * m[name] + 0.2 * p.grad
            v[name] = 0.95 * v[name] + 0.05 * p.grad**2
            update = (m[name] / (1 - 0.8**t)) / ((v[name] / (1 - 0.95**t)).sqrt() + 1e-6)
            w[name] = w[name] - 0.01 * (update + decay * w[name])
        optimizer.step()
        optimizer.zero_grad()
    for name, p in model.named_parameters():
        torch.testing.assert_close(p.detach(), w[name], rtol=1e-9, atol=1e-12)
