"""The sets of sentences, and examples of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from positions.errors import NotAtHandError
from positions.tasks import sentences
from positions.tasks.sentences import GENERATED, SETS, generated

ASKS = "who acts, the tame animal or the wild one?"


def overview(names: Iterable[str]) -> pd.DataFrame:
    """Return one row a set, the generated one last: what it asks, its size, its texts' lengths."""
    rows = []
    for name in (*names, GENERATED):
        known = SETS.get(name)
        row = {
            "set": known.title if known else "generated",
            "asks": known.asks if known else ASKS,
            "classes": len(known.labels) if known else len(generated.LABELS),
        }
        try:
            corpus = sentences.load(name)
        except NotAtHandError:
            rows.append(row | {"texts": "not at hand"})
            continue
        words = np.array([len(text.words) for text in corpus.texts])
        rows.append(
            row
            | {
                "texts": f"{len(words):,}",
                "of them to test": f"{len(corpus.test):,}" if corpus.test else "none given",
                "words, mean": f"{words.mean():.1f}",
                "longest": f"{words.max()}",
            }
        )
    return pd.DataFrame(rows).fillna("").set_index("set").rename_axis(None)


def examples(count: int = 4) -> pd.DataFrame:
    """Return sentences of the generated language with their class."""
    texts = sorted(sentences.load(GENERATED).texts[: 4 * count], key=lambda text: len(text.words))
    rows = [(" ".join(text.words), generated.LABELS[text.label]) for text in texts[::4]]
    return pd.DataFrame(rows, columns=["sentence", "class"])


def left_out(names: Iterable[str]) -> str:
    """Say how many texts hold no word, of the sets that are at hand."""
    found = {}
    for name in names:
        try:
            found[SETS[name].title] = sentences.load(name).left_out
        except NotAtHandError:
            continue
    some = [f"{count} of {title}" for title, count in found.items() if count]
    if not some:
        return "No text is without a word."
    return f"Texts without a word are left out: {' and '.join(some)}."
