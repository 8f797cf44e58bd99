"""Taking a prompt apart."""

from __future__ import annotations

import re

from positions.errors import InvalidValueError


def parts(pattern: str, source: str, like: str) -> tuple[str, ...]:
    """Return the groups of a prompt; raises `InvalidValueError` where it is none of the task's."""
    found = re.fullmatch(pattern, source.strip())
    if found is None:
        raise InvalidValueError(
            f"{source!r} is no prompt that can be worked out here; one reads {like!r}. Take the "
            "task that the prompt belongs to."
        )
    return found.groups()
