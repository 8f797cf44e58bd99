"""The comparison of a GPU with the CPU, tried on the CPU alone."""

from __future__ import annotations

import sys
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.sizes import SIZES  # noqa: E402

from benchmarks import gpu_check  # noqa: E402

SMALL = replace(SIZES["XS"], batch=2)
CPU = torch.device("cpu")


def test_a_device_agrees_with_itself():
    row = gpu_check.check("alibi", SMALL, CPU, steps=1)
    assert row["agrees"] == "yes"
    assert row["logits"] == row["gradients"] == 0
    assert row["tokens_per_second"] > 0 < row["tokens_per_second_bfloat16"]


def test_what_differs_is_found(monkeypatch):
    def moved(model):
        other = deepcopy(model)
        with torch.no_grad():
            other.transformer.embedding.weight *= 1.1
        return other

    monkeypatch.setattr(gpu_check, "deepcopy", moved)
    found = gpu_check.check("rotary", SMALL, CPU, steps=1)["agrees"]
    assert found.startswith("no: logits, gradients")


def test_without_a_gpu_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert gpu_check.main([]) == 2
    assert "No device 'cuda'" in capsys.readouterr().err
