"""Out of memory: what was missing and what to lower."""

from __future__ import annotations

import pytest
import torch

from positions.errors import PositionsError
from positions.training import memory
from positions.training.memory import OutOfMemoryError, explained_memory
from positions.training.plan import TrainingPlan

PLAN = TrainingPlan(steps=5, batch_size=64, learning_rate=1e-3)


def explained(plan=PLAN, device="cpu"):
    return explained_memory(plan, torch.device(device), lambda: "in training")


def test_a_real_shortage_on_the_cpu():
    with pytest.raises(OutOfMemoryError) as error, explained():
        torch.empty(10**15)
    message = str(error.value)
    assert isinstance(error.value, PositionsError)
    assert "in training on cpu: asked for 3,638.0 TiB" in message
    assert "gradient_accumulation from 1 to 2" in message
    assert "batch_size from 64 to 32" in message


def test_a_card_that_is_full(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda device: 512 * 2**20)
    text = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79.1 GiB"
    with pytest.raises(OutOfMemoryError) as error, explained(device="cuda:1"):
        raise torch.OutOfMemoryError(text)
    expected = "on cuda:1: asked for 2.0 GiB, 512.0 MiB is free, 1.5 GiB is missing"
    assert expected in str(error.value)


def test_free_memory_in_pieces_is_not_called_missing(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda device: 4 * 2**30)
    pattern = r"4\.0 GiB is free but not in one piece"
    with pytest.raises(OutOfMemoryError, match=pattern), explained(device="cuda:0"):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


def test_pythons_own_shortage():
    with pytest.raises(OutOfMemoryError, match="Out of memory in training on cpu"), explained():
        raise MemoryError


def test_advice_fits_the_plan():
    plan = PLAN.model_copy(
        update={"batch_size": 1, "precision": "bfloat16", "gradient_accumulation": 1}
    )
    with pytest.raises(OutOfMemoryError) as error, explained(plan):
        raise MemoryError
    message = str(error.value)
    assert "shorter sequences or a smaller model" in message
    for useless in ("batch_size", "gradient_accumulation", "bfloat16"):
        assert useless not in message


def test_other_errors_pass_untouched():
    with pytest.raises(RuntimeError, match="shapes") as error, explained():
        raise RuntimeError("shapes cannot be multiplied")
    assert not isinstance(error.value, PositionsError)
