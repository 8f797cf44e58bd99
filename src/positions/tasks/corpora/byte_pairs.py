"""Byte-pair encoding (Sennrich et al. 2016) on bytes, learned from the training text.

No text is foreign to it: what it has no longer piece for is written in bytes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence

from positions.errors import InvalidValueError

# one thread a run; read by the library when it is first used
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

BEGIN = "<bos>"
BYTES = 256


class BytePairs:
    """A vocabulary of `<bos>` (id 0), marks, all bytes, and the pairs most often met in `texts`.

    `vocabulary`: how many tokens in all; with no room for a pair, a token is a byte, and texts
    that hold few pairs give fewer. `marks` are one token each. As in GPT-2, words, numbers, signs
    and blanks are told apart first, so that no pair goes over their edges. Raises
    `InvalidValueError` for a vocabulary that has no room for the bytes.
    """

    begin_id = 0

    def __init__(self, texts: Iterable[str], vocabulary: int, marks: Sequence[str] = ()) -> None:
        least = BYTES + 1 + len(marks)
        if vocabulary < least:
            raise InvalidValueError(
                f"vocabulary = {vocabulary:,} is too small: {BYTES} bytes, {BEGIN} and "
                f"{len(marks)} marks are {least} tokens. Choose that (a token is then a byte) or "
                "more, such as 4,096."
            )
        specials = [AddedToken(text, normalized=False) for text in (BEGIN, *marks)]
        self._tokenizer = Tokenizer(models.BPE())
        self._tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self._tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=vocabulary,
            min_frequency=2,
            show_progress=False,
            special_tokens=specials,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        )
        self._tokenizer.train_from_iterator(_without(texts, marks), trainer)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    @property
    def sha256(self) -> str:
        """The digest of the vocabulary and its pairs."""
        return hashlib.sha256(self._tokenizer.to_str().encode()).hexdigest()

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without `<bos>`."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; `decode(encode(text))` is the text itself."""
        text: str = self._tokenizer.decode(list(ids), skip_special_tokens=False)
        return text


def _without(texts: Iterable[str], marks: Sequence[str]) -> Iterable[str]:
    """Yield the texts as they are without marks, which no pair is to be learned from."""
    for text in texts:
        for mark in marks:
            text = text.replace(mark, "")
        yield text
