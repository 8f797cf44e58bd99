"""The papers' own figures, as tidy tables, each with its source.

A figure that is not at hand is an empty cell and reads as NaN. None is ever filled in.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from positions.errors import DamagedFileError, unknown_name
from positions.published.sources import SOURCES

__all__ = ["load", "names", "source"]

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all tables, such as "position-embeddings/tables", sorted."""
    return sorted(SOURCES)


def load(name: str) -> pd.DataFrame:
    """Return a published table; raises `UnknownNameError`, `DamagedFileError`."""
    path = _path(name)
    try:
        # "none" names a scratchpad format, so only an empty cell is a missing one
        return pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise DamagedFileError(
            f"{path} cannot be read ({error}). Install the library again, or bring the file back "
            "from git."
        ) from None


def source(name: str) -> str:
    """Return where a table's figures come from, in one sentence; raises `UnknownNameError`."""
    _path(name)
    return SOURCES[name]


def _path(name: str) -> Path:
    if name not in SOURCES:
        raise unknown_name("published table", name, SOURCES)
    return _FOLDER / f"{name}.csv"
