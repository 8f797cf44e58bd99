"""The whole state goes into a checkpoint and comes back."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from positions.errors import InvalidValueError
from positions.training.checkpoint import Checkpoints, read
from positions.training.optimizer import build_optimizer
from positions.training.plan import TrainingPlan
from positions.training.state import RunState, pack, snapshot, unpack

PLAN = TrainingPlan(steps=5, batch_size=1, learning_rate=0.01)


class Tied(nn.Module):
    """An embedding that is also the output matrix, a buffer, a frozen weight, an empty one."""

    def __init__(self, width=4):
        super().__init__()
        self.embedding = nn.Embedding(6, width)
        self.output = nn.Linear(width, 6, bias=False)
        self.output.weight = self.embedding.weight
        self.inner = nn.Linear(width, width)
        self.frozen = nn.Parameter(torch.rand(width), requires_grad=False)
        self.empty = nn.Parameter(torch.empty(0, width))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.count += 1
        return self.output(self.inner(self.embedding(x)) + self.frozen)


def step(model, optimizer):
    model(torch.tensor([0, 1, 5])).square().sum().backward()
    optimizer.step()
    optimizer.zero_grad()


def trained():
    model = Tied()
    optimizer = build_optimizer(model, PLAN)
    for _ in range(3):
        step(model, optimizer)
    return model, optimizer


def test_a_copy_stays_what_it_was_and_loads_again():
    model, optimizer = trained()
    copy = snapshot(model)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    step(model, optimizer)
    assert not torch.equal(copy["inner.weight"], model.inner.weight)
    assert copy["output.weight"] is copy["embedding.weight"]
    model.load_state_dict(copy)
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name])


def test_model_optimizer_and_facts_come_back(tmp_path):
    model, optimizer = trained()
    state = RunState(step=3, best_step=2, best_score=0.5, losses=[0.1, 1 / 3], best=snapshot(model))
    state.series = {"step": [2], "score": [0.5], "other": [None]}
    checkpoint = pack(state, model, optimizer, {"key": "k"})
    checkpoint = read(Checkpoints(tmp_path).save(checkpoint))

    other = Tied()
    other_optimizer = build_optimizer(other, PLAN)
    step(other, other_optimizer)
    found = unpack(checkpoint, other, other_optimizer)
    assert vars(found) | {"best": None} == vars(state) | {"best": None}
    assert found.best.keys() == state.best.keys()
    assert other.output.weight is other.embedding.weight
    for _ in range(2):  # the next updates are the same: momenta and counts are back
        step(model, optimizer)
        step(other, other_optimizer)
    for name, value in model.state_dict().items():
        assert torch.equal(value, other.state_dict()[name])


@pytest.mark.parametrize(
    ("other", "name"), [(Tied(5), "embedding.weight"), (nn.Linear(4, 4), "bias")]
)
def test_another_models_checkpoint_is_refused(other, name):
    model, optimizer = trained()
    checkpoint = pack(RunState(step=3), model, optimizer, {})
    with pytest.raises(InvalidValueError, match=f"another model: {name}"):
        unpack(checkpoint, other, build_optimizer(other, PLAN))
