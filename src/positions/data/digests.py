"""Digests of files, taken of their plain content, compressed or not."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from functools import lru_cache
from pathlib import Path

from positions.errors import DamagedFileError

BLOCK = 1 << 20


def check(path: Path, expected: str, name: str, remedy: str) -> None:
    """Raise `DamagedFileError` unless the plain content of `path` has the sha256 `expected`.

    `name` is what the message calls the file. A digest is computed once per process, unless the
    file changes.
    """
    state = path.stat()
    found = _digest(path, state.st_mtime_ns, state.st_size)
    if found != expected:
        raise DamagedFileError(
            f"{name} is not the file it should be: expected sha256 {expected}, found {found}. "
            f"{remedy}"
        )


@lru_cache(maxsize=1024)
def _digest(path: Path, changed: int, size: int) -> str:
    """Return the sha256 of a file's plain content, or what is wrong with its compression."""
    digest = hashlib.sha256()
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        return f"a broken gzip file ({error})"
    return digest.hexdigest()
