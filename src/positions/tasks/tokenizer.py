"""A small vocabulary for each task: one symbol, one token."""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from positions.checks import check_text
from positions.errors import InvalidValueError

PAD, END = "<pad>", "</s>"
GLUED = "##"

# A word, and the marks that stand directly after it: `1,` `].` `c?` `left[SEP]`.
_WORD = re.compile(r"(.+?)((?:\[SEP\]|[,.?])*)")
_MARK = re.compile(r"\[SEP\]|[,.?]")


class Tokenizer:
    """Cuts text at blanks, and before a mark that stands directly after a word.

    The vocabulary holds the tokens of `texts`, in order of appearance, after `<pad>` (id 0) and
    `</s>` (id 1). A token that stands directly after another begins with `##`. Blanks count as one.

    `pieces` says into how many pieces T5's tokenizer cuts a token, to give sequences the paper's
    lengths: a token of n pieces is written as n ids of its own, a token of none is joined to the
    one before it.
    """

    pad_id = 0
    end_id = 1

    def __init__(self, texts: Iterable[str], pieces: Mapping[str, int] | None = None) -> None:
        self._count = dict(pieces or {})
        words = {word: None for text in texts for word in text.split()}
        tokens = (token for word in words for token in self._tokens(word))
        self.tokens = tuple(dict.fromkeys((PAD, END, *tokens)))
        self._ids = {token: number for number, token in enumerate(self.tokens)}
        self._known: dict[str, tuple[int, ...]] = {}
        # The pieces but the last only make a sequence longer: they are no text.
        self._silent = {self._ids[token] for token in self.tokens if "#piece" in token}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without an end.

        Raises `InvalidValueError` for a symbol that is not in the vocabulary, and for no text.
        """
        check_text("text", text)
        ids: list[int] = []
        for word in text.split():
            ids += self._known.get(word) or self._look_up(word)
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of ids up to the first `</s>`, padding left out.

        `decode(encode(text))` is the text itself, where it has single blanks. Raises
        `InvalidValueError` for an id outside the vocabulary, and for what is no row of ids.
        """
        found: list[str] = []
        for each in _whole(ids):
            if not 0 <= each < len(self):
                raise InvalidValueError(
                    f"There is no token {each}: the ids of this vocabulary are 0 to {len(self) - 1}"
                    ". Were the ids made by another tokenizer?"
                )
            if each == self.end_id:
                break
            if each != self.pad_id and each not in self._silent:
                found.append(self.tokens[each])
        return " ".join(found).replace(" " + GLUED, "").removeprefix(GLUED)

    def _tokens(self, word: str) -> Sequence[str]:
        """Cut a word, as it stands between blanks, into tokens."""
        match = _WORD.fullmatch(word)
        if match is None:
            return [word]
        tokens = [match[1]]
        for mark in _MARK.findall(match[2]):
            if self._count.get(GLUED + mark) == 0:
                tokens[-1] += mark
            else:
                tokens.append(GLUED + mark)
        return [piece for token in tokens for piece in self._pieces(token)]

    def _pieces(self, token: str) -> list[str]:
        silent = range(1, self._count.get(token, 1))
        return [*(f"{token}#piece{number}" for number in silent), token]

    def _look_up(self, word: str) -> tuple[int, ...]:
        """Return the ids of a word, and remember them."""
        tokens = self._tokens(word)
        for token in tokens:
            if token not in self._ids:
                raise self._unknown(token, word)
        self._known[word] = tuple(self._ids[token] for token in tokens)
        return self._known[word]

    def _unknown(self, token: str, word: str) -> InvalidValueError:
        near = difflib.get_close_matches(token, self.tokens[2:], n=1)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        shown = " ".join(self.tokens[2:42]) + (" ..." if len(self) > 42 else "")
        return InvalidValueError(
            f"Unknown symbol {token!r} (in {word!r}).{guess} This vocabulary has {len(self)} "
            f"tokens: {shown}. Take the tokenizer of the task that the text belongs to."
        )


def _whole(ids: Iterable[int]) -> Iterator[int]:
    """Go through ids of any whole type, a tensor's too."""
    try:
        for each in ids:
            yield operator.index(each)
    except TypeError:
        raise InvalidValueError(
            f"ids are {ids!r}; they must be whole numbers in a row: [2, 3, 1]. "
            "Decode the rows of a batch one by one."
        ) from None
