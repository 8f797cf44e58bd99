"""A small corpus, a small run on it, and a project of its own to keep checkpoints in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from positions.experiments.language_modelling import LanguageConfig
from positions.tasks.corpora import Corpus, registry

TINY: dict[str, Any] = {
    "corpus": "tiny",
    "objective": "causal",
    "table": "sinusoidal",
    "seed": 1,
    "vocabulary": 257,
    "length": 12,
    "rows": 64,
    "offsets": [1, 40],
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "dropout": 0.1,
    "steps": 20,
    "batch_size": 8,
    "learning_rate": 0.01,
    "evaluate_every": 10,
}


def tiny() -> Corpus:
    """Return documents that count up in words."""
    texts = [" ".join(str(n) for n in range(start, start + 30)) for start in range(40)]
    return Corpus("tiny", tuple(texts[:30]), tuple(texts[30:34]), tuple(texts[34:]))


def register() -> None:
    """Make the corpus known, here or in the process of `killed_run`."""
    registry._ENTRIES["tiny"] = registry._Entry("tiny", tiny)


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch):
    """Return a small run with some settings changed."""
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    register()
    return lambda **changes: LanguageConfig(**{**TINY, **changes})


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").touch()
    monkeypatch.setenv("POSITIONS_PROJECT", str(tmp_path))
    return tmp_path
