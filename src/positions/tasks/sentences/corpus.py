"""A set of labelled texts, ready to be learned."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """The words of a text and its class, counted from 0."""

    words: tuple[str, ...]
    label: int


@dataclass(frozen=True)
class Corpus:
    """The texts of a set by the parts it comes in; `dev` and `test` are empty where it has none.

    `left_out`: how many texts hold no word and were left out. `digests`: the sha256 of what was
    read, by name.
    """

    name: str
    classes: int
    train: tuple[Text, ...]
    dev: tuple[Text, ...] = ()
    test: tuple[Text, ...] = ()
    left_out: int = 0
    digests: dict[str, str] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[Text, ...]:
        """Return all texts, those for training first."""
        return (*self.train, *self.dev, *self.test)
