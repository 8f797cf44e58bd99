"""Multi30k (Elliott et al. 2016), task 1: captions of pictures, from English to German.

As Wang & Chen (2020), section 5.3, lower-cased and in tokens; the test is that of 2016.
"""

from __future__ import annotations

from functools import lru_cache

from positions import data, paths
from positions.errors import DamagedFileError, NotAtHandError
from positions.tasks.translations.corpus import Pair, ParallelCorpus
from positions.tasks.translations.reading import lines, pairs

NAME = "multi30k"
PARTS = {"train": "train", "validation": "val", "test": "test_2016_flickr"}
SOURCE, TARGET = "en", "de"
WRITTEN = f"{NAME}/{PARTS['test']}.{TARGET}"
FILES = tuple(
    f"{NAME}/{short}.lc.norm.tok.{language}"
    for short in PARTS.values()
    for language in (SOURCE, TARGET)
)


def load() -> ParallelCorpus:
    """Return the captions; raises as `data.read` and `reading.pairs`."""
    parts = {part: _part(short) for part, short in PARTS.items()}
    written = tuple(lines(_content(WRITTEN), WRITTEN))
    return ParallelCorpus(NAME, "English", "German", **parts, written=written)


def missing() -> str | None:
    """Return why it cannot be read, None where it can; downloads what is not at hand."""
    if all(data.find(data.resource(name)) for name in (*FILES, WRITTEN)):
        return None
    return _not_to_be_had(str(paths.data()), str(paths.cache()))


@lru_cache(maxsize=8)
def _not_to_be_had(folder: str, cache: str) -> str | None:
    """Ask once for each place: a network that does not answer is slow to say so."""
    try:
        for name in (*FILES, WRITTEN):
            data.locate(data.resource(name))
    except NotAtHandError as error:
        return str(error)
    except DamagedFileError:
        pass  # for the run to say, which then fails alone
    return None


def _part(short: str) -> tuple[Pair, ...]:
    names = tuple(f"{NAME}/{short}.lc.norm.tok.{language}" for language in (SOURCE, TARGET))
    return pairs(_content(names[0]), _content(names[1]), (names[0], names[1]))


def _content(name: str) -> bytes:
    return data.read(data.resource(name))
