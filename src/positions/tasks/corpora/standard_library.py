"""Code that every Python brings along: the source of its own standard library.

Which files there are and what they say depends on the version of Python and on who packaged it.
So do all numbers made from them; the digest of the texts is recorded with each run.
"""

from __future__ import annotations

import hashlib
import os
import sysconfig
import tokenize
from fnmatch import fnmatch
from pathlib import Path

from positions.errors import DamagedFileError, NotAtHandError
from positions.tasks.corpora.corpus import Corpus

NAME = "standard-library"

LEFT_OUT = {
    **dict.fromkeys(("test", "tests", "idlelib"), "tests, and an editor that not all have"),
    **dict.fromkeys(("site-packages", "dist-packages"), "what was installed later"),
    **dict.fromkeys(("encodings", "pydoc_data"), "tables and manuals made by a program"),
}
"""Folders whose files are not read, and why."""
OF_THIS_MACHINE = ("config-*", "_sysconfigdata*", "sitecustomize.py", "__pycache__")
"""Names of files and folders that are written where Python is built or installed."""

TRAIN, VALIDATION = 0.80, 0.05
"""Shares of the files; the rest is the test."""


def load(folder: Path | None = None) -> Corpus:
    """Return the source files, one document each, told apart by a digest of their names.

    `folder` defaults to the standard library of the running Python. Raises `NotAtHandError` where
    it holds no source, and `DamagedFileError` for a file that cannot be read as text.
    """
    root = Path(sysconfig.get_path("stdlib")) if folder is None else folder
    parts: dict[str, list[str]] = {"train": [], "validation": [], "test": []}
    for path in files(root):
        text = read(path)
        if text.strip():
            parts[part(path.relative_to(root).as_posix())].append(text)
    if not any(parts.values()):
        raise NotAtHandError(
            f"No Python source in {root}: this Python brings its standard library along "
            "compiled, zipped or not at all. Use one that has the .py files, as those from "
            "python.org and of most distributions have."
        )
    return Corpus(NAME, **{name: tuple(texts) for name, texts in parts.items()})


def files(root: Path) -> list[Path]:
    """Return the source files that are read, sorted by their names below `root`."""
    found = []
    for folder, inside, names in os.walk(root):
        inside[:] = filter(_wanted, inside)  # others are not even looked into
        found += [Path(folder, name) for name in names if name.endswith(".py") and _wanted(name)]
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def part(name: str) -> str:
    """Return which part a file belongs to: by its name below the folder, whatever others say."""
    digest = hashlib.sha256(name.encode()).digest()
    share = int.from_bytes(digest[:8], "big") / 2**64
    if share < TRAIN:
        return "train"
    return "validation" if share < TRAIN + VALIDATION else "test"


def read(path: Path) -> str:
    """Return the text of a source file, in UTF-8 or what its first lines name (PEP 263)."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, UnicodeDecodeError, OSError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
        raise DamagedFileError(
            f"{path} cannot be read as Python source ({reason}): it must be UTF-8, or name its "
            "encoding in its first lines. Mend it, remove it, or install this Python again."
        ) from None


def _wanted(name: str) -> bool:
    """Whether a file or folder of that name is read."""
    return name not in LEFT_OUT and not any(fnmatch(name, each) for each in OF_THIS_MACHINE)
