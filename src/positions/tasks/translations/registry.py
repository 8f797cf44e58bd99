"""The parallel corpora by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from positions.errors import unknown_name
from positions.tasks.translations import generated, multi30k
from positions.tasks.translations.corpus import ParallelCorpus


def _nothing() -> str | None:
    """Say that nothing is missing."""
    return None


@dataclass(frozen=True)
class _Entry:
    load: Callable[[], ParallelCorpus]
    missing: Callable[[], str | None] = _nothing


_ENTRIES = {
    multi30k.NAME: _Entry(multi30k.load, multi30k.missing),
    generated.NAME: _Entry(generated.load),
}


def names() -> list[str]:
    """Return the names of all parallel corpora."""
    return list(_ENTRIES)


def missing(name: str) -> str | None:
    """Return why a corpus cannot be read here, None where it can; raises `UnknownNameError`."""
    return _entry(name).missing()


def load(name: str) -> ParallelCorpus:
    """Return a corpus; raises `UnknownNameError`, and `NotAtHandError` or `DamagedFileError`."""
    return _entry(name).load()


def _entry(name: str) -> _Entry:
    if name not in _ENTRIES:
        raise unknown_name("parallel corpus", name, _ENTRIES)
    return _ENTRIES[name]
