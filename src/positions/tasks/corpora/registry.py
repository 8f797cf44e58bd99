"""The corpora by name: those in this package, and those that others register."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from positions.errors import InvalidValueError, unknown_name
from positions.tasks.corpora import generated, standard_library, starcoder, wikitext
from positions.tasks.corpora.corpus import Corpus

Loader = Callable[[], Corpus]


def _nothing() -> str | None:
    """Say that nothing is missing."""
    return None


@dataclass(frozen=True)
class _Entry:
    title: str
    load: Loader
    missing: Callable[[], str | None] = _nothing


_ENTRIES = {
    wikitext.NAME: _Entry("WikiText-2", wikitext.load, wikitext.missing),
    wikitext.RAW: _Entry("WikiText-2, as written", wikitext.load_raw, wikitext.missing_raw),
    generated.NAME: _Entry("Generated language", generated.load),
    standard_library.NAME: _Entry("Python's standard library", standard_library.load),
    starcoder.NAME: _Entry("StarCoder", starcoder.load, starcoder.missing),
}


def names() -> list[str]:
    """Return the names of all corpora."""
    return list(_ENTRIES)


def title(name: str) -> str:
    """Return what a reader calls a corpus; raises `UnknownNameError`."""
    return _entry(name).title


def missing(name: str) -> str | None:
    """Return why a corpus cannot be read here without a download, None where it can.

    Raises `UnknownNameError`.
    """
    return _entry(name).missing()


def load(name: str) -> Corpus:
    """Return a corpus; raises `UnknownNameError`, and `NotAtHandError` or `DamagedFileError`."""
    return _entry(name).load()


def register(name: str, title: str = "") -> Callable[[Loader], Loader]:
    """Register the decorated function, which returns a `Corpus`, under `name`.

    A cell run twice replaces its own. Raises `InvalidValueError` for a name that another function
    has; the paper's corpus, which is not at hand, may be given this way.
    """

    def add(load: Loader) -> Loader:
        taken = _ENTRIES.get(name)
        same = taken is not None and taken.load.__qualname__ == load.__qualname__
        if taken is not None and not same and name != starcoder.NAME:
            raise InvalidValueError(
                f"A corpus {name!r} is registered already. Choose another name; taken are: "
                f"{', '.join(_ENTRIES)}."
            )
        _ENTRIES[name] = _Entry(title or name, load)
        return load

    return add


def _entry(name: str) -> _Entry:
    if name not in _ENTRIES:
        raise unknown_name("corpus", name, _ENTRIES)
    return _ENTRIES[name]
