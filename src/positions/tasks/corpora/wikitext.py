"""WikiText-2: 720 articles of Wikipedia (Merity et al. 2017), word by word.

The form of the first version, on which most models are measured: words seen fewer than three times
stand as `<unk>`, and signs stand apart. Perplexities here are those of byte pairs, not of words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from positions import data, paths
from positions.errors import DamagedFileError, NotAtHandError
from positions.tasks.corpora.corpus import Corpus

NAME, RAW = "wikitext-2", "wikitext-2-raw"
_SHORT = {"train": "train", "validation": "valid", "test": "test"}
FILES = {part: f"wikitext-2/wiki.{short}.tokens" for part, short in _SHORT.items()}
RAW_FILES = {part: f"wikitext-2/wiki.{short}.raw" for part, short in _SHORT.items()}
"""As written: rare words stand as they are."""
UNKNOWN = " <unk>"

_TITLE = re.compile(r" = [^=].*[^=] = ")


def load() -> Corpus:
    """Return the articles; raises as `data.read`."""
    parts = {part: tuple(articles(_text(name))) for part, name in FILES.items()}
    return Corpus(NAME, **parts, marks=(UNKNOWN,))


def load_raw() -> Corpus:
    """Return the articles as written; raises as `data.read`."""
    return Corpus(RAW, **{part: tuple(articles(_text(name))) for part, name in RAW_FILES.items()})


def missing() -> str | None:
    """Return why it cannot be read, None where it can; downloads what is not at hand."""
    return _missing(tuple(FILES.values()))


def missing_raw() -> str | None:
    """Return the same of the articles as written."""
    return _missing(tuple(RAW_FILES.values()))


def _missing(names: tuple[str, ...]) -> str | None:
    if all(data.find(data.resource(name)) for name in names):
        return None
    return _not_to_be_had(names, str(paths.data()), str(paths.cache()))


@lru_cache(maxsize=8)
def _not_to_be_had(names: tuple[str, ...], folder: str, cache: str) -> str | None:
    """Ask once for each place: a network that does not answer is slow to say so."""
    try:
        for name in names:
            data.locate(data.resource(name))
    except NotAtHandError as error:
        return str(error)
    except DamagedFileError:
        pass  # for the run to say, which then fails alone
    return None


def articles(text: str) -> list[str]:
    """Cut the file's text before each title.

    A title stands between two empty lines. Some lines of formulas and of legends to tables are
    written like titles, and stand inside a paragraph.
    """
    lines = text.split("\n")  # not splitlines: other signs that end lines are part of the text
    empty = [not line.strip() for line in lines]
    starts = [
        number
        for number, line in enumerate(lines)
        if _TITLE.fullmatch(line) and all(empty[max(number - 1, 0) : number])
        if all(empty[number + 1 : number + 2])
    ]
    ends = [*starts[1:], len(lines)]
    return ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _text(name: str) -> str:
    resource = data.resource(name)
    try:
        return data.read(resource).decode()
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{data.locate(resource)} is not UTF-8 ({error.reason} at byte {error.start:,}). "
            "Delete it and get it again; `positions data` says how."
        ) from None
