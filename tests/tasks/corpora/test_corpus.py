"""A corpus: what it must hold, and a digest that tells it from any other."""

import pytest

from positions.errors import InvalidValueError
from positions.tasks.corpora import Corpus


def corpus(**changes) -> Corpus:
    return Corpus("c", **{"train": ("ab", "c"), "validation": ("d",), "test": ("e",), **changes})


@pytest.mark.parametrize("part", ["train", "validation", "test"])
@pytest.mark.parametrize("documents", [(), ("", "")])
def test_a_part_without_text_is_refused(part, documents) -> None:
    with pytest.raises(InvalidValueError, match=f"holds no text for {part}. Each of train"):
        corpus(**{part: documents})


def test_the_digest_depends_on_every_document_and_on_where_it_ends() -> None:
    others = [
        corpus(train=("a", "bc")),
        corpus(train=("c", "ab")),
        corpus(train=("ab",), validation=("c", "d")),
        corpus(test=("é",)),
    ]
    digests = {each.sha256 for each in (corpus(), *others)}
    assert len(digests) == 5
    assert corpus(marks=("<x>",)).sha256 == corpus().sha256


def test_shortened_keeps_the_first_documents_of_training() -> None:
    assert corpus().shortened(train=1) == corpus(train=("ab",))
