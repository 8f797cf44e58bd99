"""A small run on the generated language, and a project of its own to keep checkpoints in."""

from __future__ import annotations

from pathlib import Path

import pytest

from positions.experiments.classification import ClassificationConfig

TINY = {
    "task": "generated",
    "table": "sinusoidal",
    "seed": 1,
    "limit": 60,
    "rows": 40,
    "width": 16,
    "heads": 2,
    "hidden": 32,
    "epochs": 2,
    "batch_size": 8,
    "learning_rate": 0.01,
    "evaluate_every": 5,
    "shift": 4,
}


@pytest.fixture
def config():
    """Return a small run with some settings changed."""
    return lambda **changes: ClassificationConfig(**{**TINY, **changes})


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").touch()
    monkeypatch.setenv("POSITIONS_PROJECT", str(tmp_path))
    return tmp_path
