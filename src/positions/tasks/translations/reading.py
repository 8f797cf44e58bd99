"""Read two files that are translations of each other, line by line."""

from __future__ import annotations

from positions.errors import DamagedFileError
from positions.tasks.translations.corpus import Pair

AGAIN = "Get both files again; `positions data` says how."


def lines(content: bytes, name: str) -> list[str]:
    r"""Return the sentences of a file, which messages call `name`; cut at `\n` alone.

    Raises `DamagedFileError` for a file that is empty, cut short or no UTF-8, and for an empty
    line; each says which.
    """
    try:
        found = content.decode().split("\n")
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{name} is not UTF-8 ({error.reason} at byte {error.start:,}). {AGAIN}"
        ) from None
    if found.pop():
        raise DamagedFileError(
            f"{name} is cut short: its last line ({len(found) + 1:,}) doesn't end. {AGAIN}"
        )
    if not found:
        raise DamagedFileError(f"{name} is empty. {AGAIN}")
    for number, line in enumerate(found, 1):
        if not line.strip():
            raise DamagedFileError(
                f"{name}, line {number:,} is empty; each line is a sentence. {AGAIN}"
            )
    return [line.strip() for line in found]


def pairs(source: bytes, target: bytes, names: tuple[str, str]) -> tuple[Pair, ...]:
    """Return the sentences of two files side by side.

    Raises `DamagedFileError` as `lines`, and where the files have different numbers of lines.
    """
    one, other = lines(source, names[0]), lines(target, names[1])
    if len(one) != len(other):
        raise DamagedFileError(
            f"{names[0]} has {len(one):,} lines and {names[1]} {len(other):,}, so that they are "
            f"not translations of each other, line by line. {AGAIN}"
        )
    return tuple(zip(one, other, strict=True))
