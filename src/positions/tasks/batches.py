"""Examples as token ids, with the boundary between prompt and target."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from positions.tasks.examples import Example
from positions.tasks.tokenizer import Tokenizer


class Encoded(NamedTuple):
    """The ids of prompt, target and `</s>`; the first `prompt_length` are the prompt's."""

    ids: tuple[int, ...]
    prompt_length: int

    @property
    def chosen(self) -> tuple[bool, ...]:
        """What the loss asks for: the target and `</s>`, not the prompt."""
        asked = len(self.ids) - self.prompt_length
        return (False,) * self.prompt_length + (True,) * asked


def encode(examples: Iterable[Example], tokenizer: Tokenizer) -> list[Encoded]:
    """Encode examples, unpadded.

    Raises `InvalidValueError` for a symbol that the tokenizer does not know.
    """
    encoded = []
    for example in examples:
        prompt = tokenizer.encode(example.source)
        target = tokenizer.encode(example.target)
        encoded.append(Encoded((*prompt, *target, tokenizer.end_id), len(prompt)))
    return encoded
