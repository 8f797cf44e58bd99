"""The language of PCFG SET: ten functions on strings of letters, without brackets."""

from __future__ import annotations

import string
from collections.abc import Callable

from positions.errors import InvalidValueError

Letters = list[str]

UNARY: dict[str, Callable[[Letters], Letters]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "swap_first_last": lambda x: x[-1:] + x[1:-1] + x[:1] if len(x) > 1 else x,
    "repeat": lambda x: x + x,
    "echo": lambda x: x + x[-1:],
}
BINARY: dict[str, Callable[[Letters, Letters], Letters]] = {
    "append": lambda x, y: x + y,
    "prepend": lambda x, y: y + x,
    "remove_first": lambda x, y: y,
    "remove_second": lambda x, y: x,
}
ALPHABET = tuple(f"{letter}{n}" for letter in string.ascii_uppercase for n in range(1, 21))
_LETTERS = frozenset(ALPHABET)


def interpret(command: str) -> Letters:
    """Return what a command comes to: `echo append A1 B2 , C3` gives A1 B2 C3 C3.

    Raises `InvalidValueError` for what is no command.
    """
    # Read from the right, what a function works on has been worked out before it is met. Only the
    # comma tells one string from the next.
    values: list[Letters] = []
    in_string = False
    for word in reversed(command.split()):
        if word in _LETTERS:
            if not in_string:
                values.append([])
            values[-1].insert(0, word)
        elif word in UNARY and values:
            values.append(UNARY[word](values.pop()))
        elif word in BINARY and len(values) > 1:
            values.append(BINARY[word](values.pop(), values.pop()))
        elif word != ",":
            known = word in UNARY or word in BINARY
            reason = "lacks an argument" if known else "is no function and no letter A1 to Z20"
            raise InvalidValueError(f"{command!r} is no command of PCFG SET: {word!r} {reason}.")
        in_string = word in _LETTERS
    if len(values) != 1:
        raise InvalidValueError(
            f"{command!r} is no command of PCFG SET: it leaves {len(values)} strings, not one."
        )
    return values[0]
