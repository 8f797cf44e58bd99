"""A small parallel corpus, a small run on it, and a project of its own to keep checkpoints in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from positions.experiments.translation import TranslationConfig
from positions.tasks.translations import ParallelCorpus, registry

TINY: dict[str, Any] = {
    "corpus": "tiny",
    "encoder": "sinusoidal",
    "decoder": "random",
    "seed": 1,
    "vocabulary": 270,
    "rows": 64,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "steps": 20,
    "batch_tokens": 200,
    "learning_rate": 0.01,
    "warmup": 4,
    "evaluate_every": 10,
    "beams": 2,
    "examples": 3,
}


def tiny() -> ParallelCorpus:
    """Return letters with the same in capitals, backwards."""
    letters = "abcdefgh"
    sources = [f"{a} {b} {c} x y" for a in letters for b in letters for c in letters[:2]]
    pairs = tuple((text, text.upper()[::-1]) for text in sources)
    test = pairs[:8]
    written = tuple(target for _, target in test)
    return ParallelCorpus("tiny", "small", "large", pairs[16:], pairs[8:16], test, written)


def register() -> None:
    """Make the corpus known, here or in the process of `killed_run`."""
    registry._ENTRIES["tiny"] = registry._Entry(tiny)


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch):
    """Return a small run with some settings changed."""
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    register()
    return lambda **changes: TranslationConfig(**{**TINY, **changes})


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").touch()
    monkeypatch.setenv("POSITIONS_PROJECT", str(tmp_path))
    return tmp_path
