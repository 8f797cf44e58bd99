"""The encodings by name: those in this package, and those that others register.

A third party adds one in any of three ways: decorate the class with `register(name)` in a file
that gets imported, name that file in `POSITIONS_ENCODINGS`, or name the class (or the module that
registers it) in an entry point of the group `positions.encodings`.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from positions.encodings import files
from positions.encodings.base import Encoding
from positions.errors import InvalidValueError, PositionsError, unknown_name

GROUP = "positions.encodings"
SHARED = ("width", "heads", "max_length")

_classes: dict[str, type[Encoding]] = {}
_seen: set[Path] = set()
"""The files that have been run, or are just running."""

E = TypeVar("E", bound=type[Encoding])


def register(name: str) -> Callable[[E], E]:
    """Register the decorated subclass of `Encoding` under `name`.

    Defining the same class again (a notebook cell run twice) replaces it. Raises
    `InvalidValueError` where the name is taken by another class, where the class is no `Encoding`
    and where its constructor lacks one of `width`, `heads`, `max_length`.
    """

    def add(cls: E) -> E:
        _check(name, cls)
        cls.name = name
        _classes[name] = cls
        return cls

    return add


def names() -> list[str]:
    """Return the names of all encodings, those of this package first.

    Raises what `files.named` and `files.load` raise.
    """
    _load_entry_points()
    _load_files()
    return list(_classes)


def get(name: str) -> type[Encoding]:
    """Return the class registered under `name`; raises `UnknownNameError`, listing all names."""
    broken = _load_entry_points()
    _load_files()
    if name in _classes:
        return _classes[name]
    if name in broken:
        raise PositionsError(f"Encoding {name!r} could not be loaded: {broken[name]}.")
    raise unknown_name("encoding", name, _classes)


def options(name: str) -> dict[str, object]:
    """Return the options that an encoding takes, each with its default."""
    parameters = inspect.signature(get(name)).parameters.values()
    keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {p.name: p.default for p in parameters if p.kind in keyword and p.name not in SHARED}


def build(name: str, *, width: int, heads: int, max_length: int, **options: object) -> Encoding:
    """Make the encoding `name` for a model of `width`, `heads` and `max_length` tokens.

    `options` are the encoding's own. Raises `UnknownNameError` for an unknown name or option and
    `InvalidValueError` for an option of the wrong type or range.
    """
    check_options(name, options)
    return get(name)(width=width, heads=heads, max_length=max_length, **options)


def in_their_type(name: str, given: Mapping[str, object]) -> dict[str, object]:
    """Return options with each whole number as a float where the encoding takes a float.

    So that 1 and 1.0 are one option. An option that the encoding lacks is left as it is. Raises
    `UnknownNameError` for an unknown encoding.
    """
    parameters = inspect.signature(get(name)).parameters.values()
    floats = {p.name for p in parameters if "float" in str(p.annotation)}
    return {
        option: float(value) if type(value) is int and option in floats else value
        for option, value in given.items()
    }


def check_options(name: str, given: Iterable[str]) -> None:
    """Refuse the first option that the encoding `name` does not take, a model's size for one.

    Raises `UnknownNameError` for it, and for an unknown encoding.
    """
    parameters = inspect.signature(get(name)).parameters.values()
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    valid = options(name)
    for option in given:
        if option in SHARED or not (takes_any or option in valid):
            raise unknown_name(f"option of {name}:", option, valid)


def _check(name: object, cls: object) -> None:
    """Refuse what `build` could not make later."""
    if not isinstance(name, str) or not name:
        raise InvalidValueError(f"An encoding's name must be a non-empty text, not {name!r}.")
    if not (isinstance(cls, type) and issubclass(cls, Encoding)):
        raise InvalidValueError(
            f"Encoding {name!r} is registered as {cls!r}; register a subclass of "
            "positions.encodings.Encoding."
        )
    missing = set(SHARED) - set(inspect.signature(cls).parameters)
    if missing:
        raise InvalidValueError(
            f"The constructor of encoding {name!r} lacks {', '.join(sorted(missing))}; "
            f"it must take {', '.join(SHARED)} and then options of its own."
        )
    taken = _classes.get(name)
    if taken is not None and _origin(taken) != _origin(cls):
        raise InvalidValueError(
            f"Encoding {name!r} is registered already, by {_origin(taken)}. "
            f"Choose another name for {_origin(cls)}; taken are: {', '.join(_classes)}."
        )


def _origin(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


@functools.cache
def _load_entry_points() -> dict[str, str]:
    """Load the third parties' encodings once; return why each broken one is broken, by name."""
    broken = {}
    for point in metadata.entry_points(group=GROUP):
        try:
            found = point.load()
            if isinstance(found, type) and found not in _classes.values():
                register(point.name)(found)
        except (Exception, SystemExit) as error:
            broken[point.name] = f"entry point {point.value!r}: {type(error).__name__}: {error}"
            warnings.warn(
                f"Encoding {point.name!r} is left out ({broken[point.name]}).", stacklevel=2
            )
    return broken


def _load_files() -> None:
    """Run each file that `POSITIONS_ENCODINGS` names once; one that fails, again the next time."""
    for path in files.named():
        if path not in _seen:
            _seen.add(path)
            try:
                files.load(path)
            except BaseException:
                _seen.discard(path)
                raise
