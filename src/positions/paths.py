"""Where things are: the project, its chapters and results, the user's data and cache."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_dir

from positions.errors import NotAtHandError

DATA_VARIABLE = "POSITIONS_DATA"
CACHE_VARIABLE = "POSITIONS_CACHE"
PROJECT_VARIABLE = "POSITIONS_PROJECT"


def project() -> Path:
    """Return the folder that holds `_toc.yml` and `chapters`.

    Looked for in `POSITIONS_PROJECT`, then from the working directory upwards, then in the
    checkout that this library was installed from.
    """
    named = os.environ.get(PROJECT_VARIABLE)
    here = Path.cwd()
    checkout = Path(__file__).resolve().parents[2]
    candidates = [Path(named)] if named else [here, *here.parents, checkout]
    for folder in candidates:
        if (folder / "_toc.yml").is_file() and (folder / "chapters").is_dir():
            return folder.resolve()
    raise NotAtHandError(
        f"No book here: none of {', '.join(map(str, candidates))} holds _toc.yml and chapters/. "
        f"Run the command inside a clone of the project, or set {PROJECT_VARIABLE} to one."
    )


def chapters() -> Path:
    """Return the folder of the chapters' sources."""
    return project() / "chapters"


def results() -> Path:
    """Return the folder of the recorded results."""
    return project() / "results"


def build() -> Path:
    """Return the folder for everything that is made and may be deleted."""
    return project() / "_build"


def data() -> Path | None:
    """Return the user's own data folder, None where `POSITIONS_DATA` is not set.

    Raises `NotAtHandError` where the variable names no folder.
    """
    named = os.environ.get(DATA_VARIABLE)
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise NotAtHandError(
            f"{DATA_VARIABLE} is {named!r}, and there is no such folder. "
            "Point it at a folder of data, or unset it to use the cache and downloads."
        )
    return folder


def cache() -> Path:
    """Return the folder for downloads (`POSITIONS_CACHE`, else the user's cache)."""
    return Path(os.environ.get(CACHE_VARIABLE) or user_cache_dir("positions")).expanduser()
