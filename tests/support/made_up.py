"""What made-up records have in common."""

from __future__ import annotations

from typing import Any

from positions.runs.record import Provenance


def provenance(**changes: Any) -> Provenance:
    """Return a made-up machine, commit and time, but for what a test says of them."""
    facts: dict[str, Any] = {
        "commit": None,
        "dirty": None,
        "positions": "0",
        "python": "3",
        "torch": "2",
        "numpy": "2",
        "device": "a laptop",
        "dtype": "float32",
        "threads": 1,
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 60.0,
        "memory_mib": None,
        "device_memory_mib": None,
        "data": {},
    }
    return Provenance(**facts | changes)
