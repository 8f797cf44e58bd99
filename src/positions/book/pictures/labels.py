"""Short names of position tables for charts, and the colours that go with them."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt

from positions.book.charts import colour

_SHORT = {
    "sinusoidal": "sinusoid",
    "gpt2": "GPT-2",
    "bert-base-uncased": "BERT",
    "roberta-base": "RoBERTa",
    "random-walk": "random walk",
    "smooth-random": "smooth random",
    "sentence-transformers/all-MiniLM-L6-v2": "MiniLM",
    "sentence-transformers/all-mpnet-base-v2": "MPNet",
}
_DASHES = {"random-walk": [7, 3], "gaussian": [2, 3], "smooth-random": [9, 3, 2, 3]}


def label(name: str) -> str:
    """Return the name of a table as a chart shows it, such as "BERT copy a"."""
    control, _, base = name.partition(":")
    if base:
        return f"{label(base)}, {control.replace('-', ' ')}"
    model, _, copy = name.partition("-finetuned-")
    if copy:
        return f"{label(model)} copy {copy}"
    return _SHORT.get(name, name)


def scale(names: Iterable[str]) -> alt.Scale:
    """Return the colour scale of tables, by label, in this order."""
    unique = list(dict.fromkeys(names))
    return alt.Scale(domain=[label(n) for n in unique], range=[colour(n) for n in unique])


def dashes(names: Iterable[str]) -> alt.StrokeDash:
    """Return the encoding that tells lines of the controls, all of them grey, by their dashes."""
    unique = list(dict.fromkeys(names))
    patterns = [_DASHES.get(name, [1, 0]) for name in unique]
    known = alt.Scale(domain=[label(name) for name in unique], range=patterns)
    return alt.StrokeDash("table:N").scale(known).title(None)
