"""The symbols that lists are made of, and the words that structure a text."""

from __future__ import annotations

import string

MOST_SYMBOLS = 100_000
"""The most different symbols a task may have; T5's vocabulary holds a third of that."""

SEPARATOR = "[SEP]"
NEXT = "[NEXT]"

DIGITS = string.digits
ALPHANUMERIC = string.digits + string.ascii_lowercase + string.ascii_uppercase
CHARACTERS = ALPHANUMERIC + "!$%&()*+,-./:;<=>"


def symbols(count: int, characters: str = CHARACTERS) -> tuple[str, ...]:
    """Return `count` different symbols, always in the same order.

    As in the paper the candidates are single characters first: digits, lower case, upper case,
    punctuation. It then goes through T5's vocabulary, and drops every candidate that T5's tokenizer
    cuts in two. Without that vocabulary, symbols of our own follow (`w79`, `w80`, ...) and nothing
    needs to be dropped: our tokenizer gives each symbol one token. The number of symbols is the
    paper's; which ones they are differs.
    """
    made = (f"w{number}" for number in range(len(characters), count))
    return (*characters[:count], *made)


def spaced(number: int) -> str:
    """Write a number digit by digit, most significant first: `1 0 3`, `- 1 2`."""
    return " ".join(str(number))
