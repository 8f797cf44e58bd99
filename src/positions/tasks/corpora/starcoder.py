"""The paper's own corpus, which nobody can be handed: named here so that its preset can say so."""

from __future__ import annotations

from typing import NoReturn

from positions.errors import NotAtHandError

NAME = "starcoder"


def load() -> NoReturn:
    """Raise `NotAtHandError`: say what the corpus is and what to do instead."""
    raise NotAtHandError(f"{missing()[:1].upper()}{missing()[1:]}.")


def missing() -> str:
    """Return why it cannot be read."""
    return (
        "the code that Kazemnejad et al. (2023) train on is not at hand: 30 million documents, 30 "
        "billion tokens, of StarCoder's training data. Which documents is not published, and the "
        "whole set (Hugging Face bigcode/starcoderdata) is given only to who accepts its terms. "
        "Use the preset laptop or gpu, or register a corpus of your own under this name "
        "(positions.tasks.corpora.register)"
    )
