"""What a parallel corpus is: sentences of two languages, line by line."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from functools import cached_property

from positions.errors import InvalidValueError

Pair = tuple[str, str]
"""A sentence and its translation."""


@dataclass(frozen=True)
class ParallelCorpus:
    """Pairs of sentences in tokens that blanks part, for training, for watching it, for the test.

    `written`: the translations of the test part as a writer would leave them, with capitals and
    without blanks before signs. `source`, `target`: what a reader calls the languages. Raises
    `InvalidValueError` for a part without a pair, a sentence without a word, and where `written`
    has another number of sentences than the test.
    """

    name: str
    source: str
    target: str
    train: tuple[Pair, ...]
    validation: tuple[Pair, ...]
    test: tuple[Pair, ...]
    written: tuple[str, ...]

    def __post_init__(self) -> None:
        for part in ("train", "validation", "test"):
            pairs: tuple[Pair, ...] = getattr(self, part)
            if not pairs:
                raise InvalidValueError(
                    f"The corpus {self.name} holds no pair for {part}; add some, or choose another."
                )
            for number, pair in enumerate(pairs):
                if not all(text.split() for text in pair):
                    raise InvalidValueError(
                        f"Pair {number} of the {part} part of {self.name} has an empty side; leave "
                        "the pair out on both."
                    )
        if len(self.written) != len(self.test):
            raise InvalidValueError(
                f"The test of {self.name} has {len(self.test)} pairs and {len(self.written)} "
                "translations as written; there must be one a pair."
            )

    @cached_property
    def sha256(self) -> str:
        """The digest of all sentences, in their order and by their parts."""
        digest = hashlib.sha256()
        for field in fields(self):
            content = getattr(self, field.name)
            texts = [content] if isinstance(content, str) else [field.name, *map(str, content)]
            for text in texts:
                digest.update(len(text.encode()).to_bytes(8, "big") + text.encode())
        return digest.hexdigest()

    def shortened(
        self, train: int | None, validation: int | None = None, test: int | None = None
    ) -> ParallelCorpus:
        """Return the same with the first pairs of each part alone (None: all)."""
        return replace(
            self,
            train=self.train[:train],
            validation=self.validation[:validation],
            test=self.test[:test],
            written=self.written[:test],
        )
