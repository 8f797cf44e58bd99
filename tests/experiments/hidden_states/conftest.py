"""A corpus of letters, a small run on it, and a project of its own to keep checkpoints in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from positions.experiments.context import ContextConfig
from positions.experiments.hidden_states import presets
from positions.tasks.corpora import Corpus, registry


def corpus() -> Corpus:
    """Return documents of 40 characters in an order that says nothing of position."""
    letters = np.random.default_rng(0).choice([chr(code) for code in range(33, 127)], (90, 40))
    texts = ["".join(row) for row in letters]
    return Corpus("letters", tuple(texts[:20]), tuple(texts[20:22]), tuple(texts[22:]))


def register() -> None:
    """Make the corpus known, here or in the process of `killed_run`."""
    registry._ENTRIES["letters"] = registry._Entry("letters", corpus)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a small run with some settings changed, in a project of its own."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").touch()
    monkeypatch.setenv("POSITIONS_PROJECT", str(tmp_path))
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    register()
    smoke = presets.smoke()[0].canonical()
    ours = {"corpus": "letters", "documents": None, "stretches": 2}
    return lambda **changes: ContextConfig(**{**smoke, **ours, **changes})
