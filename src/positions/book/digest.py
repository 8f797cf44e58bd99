"""Digests that tell whether something has to be made again."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from positions import paths
from positions.encodings import files

LIBRARY = Path(__file__).resolve().parents[1]


def of_files(paths: Iterable[Path], root: Path) -> str:
    """Digest the names, relative to `root`, and the contents of files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(str(path.relative_to(root)).encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:20]


def of_folder(folder: Path) -> str:
    """Digest every file below a folder, caches of Python apart."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return of_files((path for path in paths if "__pycache__" not in path.parts), folder)


@cache
def of_packages() -> str:
    """Digest the name and version of every installed package."""
    found = {f"{d.metadata['Name']}=={d.version}" for d in importlib.metadata.distributions()}
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:20]


def surroundings(project: Path) -> str:
    """Digest what chapters' outputs depend on beside their sources.

    That is the library, the packages, the user's own encodings, the recorded results and which
    data are at hand.
    """
    data = paths.data()
    parts = [of_folder(LIBRARY), of_packages(), str(data)]
    parts += [of_files([path], path.parent) for path in files.named()]
    parts += [of_folder(folder) for folder in (project / "results",) if folder.is_dir()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]
