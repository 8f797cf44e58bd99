"""Errors that a user can mend: each says what was wrong, what is valid and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PositionsError(Exception):
    """Anything a user can mend; the command line shows its message without a traceback."""


class UnknownNameError(PositionsError, LookupError):
    """A name that nothing is registered under."""


class InvalidValueError(PositionsError, ValueError):
    """A value of the wrong type, shape or range."""


class DamagedFileError(PositionsError):
    """A file that exists but does not hold what it should."""


class NotAtHandError(PositionsError):
    """Data that is neither in the data folder, nor in the cache, nor to be had by download."""


class StoppedError(PositionsError):
    """Work that was asked to stop from outside, and did."""


def unknown_name(kind: str, name: object, valid: Iterable[str]) -> UnknownNameError:
    """Build the error for an unknown name: the nearest valid name first, then all of them."""
    names = sorted(valid)
    near = difflib.get_close_matches(str(name), names, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return UnknownNameError(f"Unknown {kind} {name!r}.{guess} Valid: {', '.join(names) or 'none'}.")
