"""A small corpus, a small run on it, and a project of its own to keep checkpoints in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from positions.experiments.context import ContextConfig
from positions.tasks.corpora import Corpus, registry

TINY: dict[str, Any] = {
    "corpus": "tiny",
    "encoding": "alibi",
    "seed": 1,
    "vocabulary": 257,
    "context": 8,
    "contexts": [4, 8, 12, 24],
    "scored": 3,
    "stretches": 2,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "steps": 20,
    "batch_size": 8,
    "learning_rate": 0.01,
    "evaluate_every": 10,
}


def tiny() -> Corpus:
    """Return documents that count up in words, of 20 to 100 bytes."""
    texts = [" ".join(str(n) for n in range(start, start + 30)) for start in range(40)]
    return Corpus("tiny", tuple(texts[:30]), tuple(texts[30:34]), (*texts[34:], "short"))


def register() -> None:
    """Make the corpus known, here or in the process of `killed_run`."""
    registry._ENTRIES["tiny"] = registry._Entry("tiny", tiny)


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch):
    """Return a small run with some settings changed."""
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    register()
    return lambda **changes: ContextConfig(**{**TINY, **changes})


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").touch()
    monkeypatch.setenv("POSITIONS_PROJECT", str(tmp_path))
    return tmp_path
