"""Where a run keeps its state while it trains."""

from __future__ import annotations

from positions import paths
from positions.errors import NotAtHandError
from positions.training import Checkpoints

SECONDS = 60.0
FROM_STEPS = 200
"""Shorter runs leave no checkpoints: to start again costs no more."""


def of_run(experiment: str, key: str, steps: int) -> Checkpoints | None:
    """Return the checkpoints of the run `key`; None outside of a project, or if it is short."""
    if steps < FROM_STEPS:
        return None
    try:
        folder = paths.build() / "checkpoints" / experiment / key
    except NotAtHandError:
        return None
    return Checkpoints(folder, key, SECONDS)
