"""A corpus in tokens: by byte pairs learned from it, or by a ready-made tokenizer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from positions import data, paths
from positions.data import Hub, Resource
from positions.data.catalogue import weights
from positions.errors import DamagedFileError, NotAtHandError, unknown_name
from positions.experiments.context.text import Documents, tokenised
from positions.experiments.language_modelling.text import (
    MASKED,
    Objective,
    Vocabulary,
    with_marks,
)
from positions.tasks.corpora import Corpus

OWN = "own"


@dataclass(frozen=True)
class ReadyMade:
    """A tokenizer in a file: how many tokens it must have, and its begin, end and mask."""

    resource: Resource
    size: int
    marks: tuple[str, str, str] | None


def _file(title: str, model: Resource) -> Resource:
    """Declare the tokenizer of a model, at the revision of its weights; no digest is published."""
    assert isinstance(model.source, Hub)
    repo = model.source.repo
    return Resource(
        path=f"models/{repo}/tokenizer.json",
        description=f"The tokenizer of {title}",
        licence=model.licence,
        source=Hub(repo, "tokenizer.json", model.source.revision),
    )


READY_MADE = {
    "bert-base-uncased": ReadyMade(
        _file("BERT base uncased", weights.BERT), 30_522, ("[CLS]", "[SEP]", "[MASK]")
    ),
    "gpt2": ReadyMade(_file("GPT-2", weights.GPT2), 50_257, None),
}


@dataclass(frozen=True)
class Tokens:
    """The three parts of a corpus in tokens, without marks, and the vocabulary they are of."""

    vocabulary: Vocabulary
    train: Documents
    validation: Documents
    test: Documents
    bytes_per_token: float
    digest: str


def check_tokenizer(name: str, objective: Objective, vocabulary: int | None) -> None:
    """Refuse an unknown tokenizer, one without a mask where one is needed, and a wrong size."""
    if name == OWN:
        if vocabulary is None:
            raise ValueError('tokenizer = "own" needs a vocabulary, such as 1,024')
        return
    if name not in READY_MADE:
        raise unknown_name("tokenizer", name, [OWN, *READY_MADE])
    if vocabulary is not None:
        raise ValueError(
            f"the tokenizer {name!r} has the vocabulary it has; leave vocabulary out, or choose "
            f'tokenizer = "{OWN}"'
        )
    if objective == MASKED and READY_MADE[name].marks is None:
        fitting = [each for each, known in READY_MADE.items() if known.marks is not None]
        raise ValueError(
            f"the tokenizer {name!r} has no token for what is masked; choose "
            f'{", ".join(fitting)} or "{OWN}", or objective = "causal"'
        )


def missing(name: str) -> str | None:
    """Return why a tokenizer can't be had, None where it can; downloads what is not at hand."""
    if name == OWN or data.find(READY_MADE[name].resource) is not None:
        return None
    return _not_to_be_had(name, str(paths.data()), str(paths.cache()))


@lru_cache(maxsize=8)
def _not_to_be_had(name: str, folder: str, cache: str) -> str | None:
    """Ask once for each place: a network that does not answer is slow to say so."""
    try:
        data.locate(READY_MADE[name].resource)
    except NotAtHandError as error:
        return str(error)
    except DamagedFileError:
        pass  # for the run to say, which then fails alone
    return None


def tokens_of(corpus: Corpus, name: str, vocabulary: int | None) -> Tokens:
    """Return a corpus in tokens; raises as `BytePairs`, `data.locate` and `read`."""
    if name != OWN:
        return _ready_made(corpus, name)
    found = tokenised(corpus, vocabulary or 0)
    marked = with_marks(len(found.tokenizer), found.tokenizer.begin_id)
    parts = found.train, found.validation, found.test
    return Tokens(marked, *parts, found.bytes_per_token, found.tokenizer.sha256)


def read(name: str) -> tuple[Any, Vocabulary]:
    """Return a ready-made tokenizer and its vocabulary.

    Raises `DamagedFileError` for a file that is none, or that of another text than it should be.
    """
    from tokenizers import Tokenizer

    known = READY_MADE[name]
    content = data.read(known.resource)
    where = data.locate(known.resource)
    again = f"Delete it and get it again: {known.resource.origin}."
    try:
        json.loads(content)
        tokenizer = Tokenizer.from_buffer(content)
    except Exception as error:  # the library raises plain Exception
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DamagedFileError(f"{where} is no tokenizer ({reason}). {again}") from None
    size = tokenizer.get_vocab_size()
    marks = [tokenizer.token_to_id(mark) for mark in known.marks or ()]
    if size != known.size or None in marks:
        raise DamagedFileError(
            f"{where} is the tokenizer of something else: it has {size:,} tokens, and that of "
            f"{name} has {known.size:,}{_list(known.marks)}. {again}"
        )
    begin, end, mask = (mark or 0 for mark in marks or (0, 0, 0))
    return tokenizer, Vocabulary(size, begin, end, mask)


@lru_cache(maxsize=2)
def _ready_made(corpus: Corpus, name: str) -> Tokens:
    tokenizer, vocabulary = read(name)
    train, validation, test = (
        tuple(
            np.array(tokenizer.encode(text, add_special_tokens=False).ids, dtype=np.int32)
            for text in documents
        )
        for documents in (corpus.train, corpus.validation, corpus.test)
    )
    size = sum(len(text.encode()) for text in corpus.train)
    per_token = size / max(sum(map(len, train)), 1)
    digest = hashlib.sha256(data.read(READY_MADE[name].resource)).hexdigest()
    return Tokens(vocabulary, train, validation, test, per_token, digest)


def _list(marks: tuple[str, str, str] | None) -> str:
    return f", among them {', '.join(marks)}" if marks else ""
