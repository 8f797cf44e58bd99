"""Words of a text, and the numbers that stand for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_DROPPED = re.compile(r"[^a-z0-9(),!?'`]+")
_CONTRACTION = re.compile(r"(?<=[a-z0-9])(n't|'(?:s|ve|re|d|ll))\b")
_MARK = re.compile(r"([(),!?])")


def words(text: str) -> tuple[str, ...]:
    """Cut a text into words, lower-cased.

    As in the cleaning that Wang & Chen (2020), section 5.1, build on: letters, digits and the marks
    ``( ) , ! ? ' ` `` stay, all else becomes a blank; contractions are split off ("do n't",
    "it 's") and marks stand by themselves. Their code then has spaCy cut what is left; here words
    end at blanks.
    """
    kept = _DROPPED.sub(" ", text.lower())
    return tuple(_MARK.sub(r" \1 ", _CONTRACTION.sub(r" \1", kept)).split())


class Vocabulary:
    """Numbers for words: every word of the training texts, one for unknown words, one for padding.

    Padding is 0, an unknown word 1, the others follow in order of appearance.
    """

    pad_id = 0
    unknown_id = 1

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        known = dict.fromkeys(word for text in texts for word in text)
        self._ids = {word: number for number, word in enumerate(known, 2)}

    def __len__(self) -> int:
        return len(self._ids) + 2

    def encode(self, text: Sequence[str]) -> list[int]:
        """Return the number of each word."""
        return [self._ids.get(word, self.unknown_id) for word in text]
