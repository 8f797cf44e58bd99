"""A small run, and a project of its own to keep weights in."""

from __future__ import annotations

from pathlib import Path

import pytest

from positions.experiments.attention import AttentionConfig

TINY = {
    "task": "parity",
    "encoding": "t5",
    "seed": 1,
    "longest": 5,
    "test_longest": 7,
    "train": 200,
    "test": 40,
    "width": 16,
    "heads": 2,
    "layers": 2,
    "hidden": 32,
    "dropout": 0.1,
    "steps": 20,
    "batch_size": 16,
    "learning_rate": 0.01,
    "evaluate_every": 5,
    "examples": 3,
}


@pytest.fixture
def config():
    """Return a small run with some settings changed."""
    return lambda **changes: AttentionConfig(**{**TINY, **changes})


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").touch()
    monkeypatch.setenv("POSITIONS_PROJECT", str(tmp_path))
    return tmp_path
