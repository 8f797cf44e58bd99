"""Whether a predicted text holds the right answer; parsed as in the paper, by kind of answer.

Each function takes the text that a model produced, with the prompt before it or without, and the
answer of the example.
"""

from __future__ import annotations

import re

from positions.tasks.symbols import SEPARATOR

_NUMBER = re.compile(r"The answer is\s+(\d[\d\s]*)\.")
_WORD = re.compile(r"The answer is(.*?)\.", re.DOTALL)
_LIST = re.compile(r"The sorted list is \[(.*?)\]", re.DOTALL)


def same_text(text: str, answer: str) -> bool:
    """Compare all that follows the separator, blanks at the ends aside."""
    before, separator, after = text.partition(SEPARATOR)
    return (after if separator else before).strip() == answer


def same_number(text: str, answer: str) -> bool:
    """Compare the first number in an answer sentence, blanks between digits aside."""
    found = _NUMBER.search(text)
    return found is not None and int("".join(found[1].split())) == int(answer)


def same_word(text: str, answer: str) -> bool:
    """Compare what stands in the answer sentence, upper and lower case alike."""
    found = _WORD.search(text)
    return found is not None and found[1].strip().lower() == answer.lower()


def same_list(text: str, answer: str) -> bool:
    """Compare the list in the answer sentence, element by element."""
    found = _LIST.search(text)
    return found is not None and _elements(found[1]) == _elements(answer)


def _elements(text: str) -> list[str]:
    return [" ".join(element.split()) for element in text.split(",")]
