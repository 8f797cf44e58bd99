"""What a corpus is: documents, told apart by what they are for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

from positions.errors import InvalidValueError

PARTS = ("train", "validation", "test")


@dataclass(frozen=True)
class Corpus:
    """Documents for training, for watching the training, and for the test.

    `marks`: texts that are one token each whatever the tokenizer learns, such as WikiText's
    `<unk>`. Raises `InvalidValueError` where a part holds no text.
    """

    name: str
    train: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]
    marks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part in PARTS:
            if not any(getattr(self, part)):
                raise InvalidValueError(
                    f"The corpus {self.name} holds no text for {part}. Each of "
                    f"{', '.join(PARTS)} needs a document that is not empty; add some, or "
                    "choose another corpus."
                )

    @cached_property
    def sha256(self) -> str:
        """The digest of all documents, in their order and by their parts."""
        digest = hashlib.sha256()
        for part in PARTS:
            for document in (part, *getattr(self, part)):
                text = document.encode()
                digest.update(len(text).to_bytes(8, "big") + text)
        return digest.hexdigest()

    def shortened(self, train: int | None) -> Corpus:
        """Return the same with the first `train` documents of training alone (None: all)."""
        return replace(self, train=self.train[:train])
