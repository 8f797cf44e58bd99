"""Compiled training: the same numbers, the same names, and a clear word where it fails."""

from __future__ import annotations

import shutil

import pytest
import torch
from torch import nn

from positions.model import LanguageModel, gpt2_like
from positions.training import TokenBatch, TrainingPlan, causal_loss, fit, seeded
from positions.training.compiling import CompileError, compiled

TOKENS = torch.randint(2, 20, (4, 12), generator=torch.Generator().manual_seed(0))


def batches(step):
    labels = TOKENS.roll(-1, dims=1)
    return TokenBatch(TOKENS, torch.ones_like(TOKENS, dtype=torch.bool), labels)


def trained(compile):
    with seeded(0, "weights"):
        sizes = {"vocabulary": 20, "max_length": 16, "width": 16, "heads": 2, "layers": 1}
        model = LanguageModel(gpt2_like("small", **sizes, hidden=32), "alibi")
    plan = TrainingPlan(steps=6, batch_size=4, learning_rate=0.01, device="cpu", compile=compile)
    return fit(model, batches, causal_loss(), plan)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
def test_compiled_training_gives_the_numbers_of_the_other():
    plain, other = trained(False), trained(True)
    assert other.series["training_loss"] == pytest.approx(plain.series["training_loss"], rel=1e-4)
    assert plain.last_state.keys() == other.last_state.keys()
    for name, weights in plain.last_state.items():
        torch.testing.assert_close(other.last_state[name], weights, rtol=1e-3, atol=1e-4)


def test_where_it_cannot_be_compiled_one_is_told_what_to_do(monkeypatch):
    def broken(graph, inputs):
        raise OSError("no compiler here")

    compile_with = nn.Module.compile
    monkeypatch.setattr(nn.Module, "compile", lambda self: compile_with(self, backend=broken))
    with pytest.raises(CompileError, match=r"no compiler here.*train without compile=True"):
        trained(True)


def test_errors_of_the_model_itself_pass_untouched():
    with pytest.raises(ZeroDivisionError), compiled(nn.Linear(1, 1), True):
        raise ZeroDivisionError
