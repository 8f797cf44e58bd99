"""Whether the lead of one table over another depends on how long a text is."""

from __future__ import annotations

from itertools import pairwise

import altair as alt
import numpy as np
import pandas as pd

from positions.analysis.statistics import holm
from positions.analysis.texts import interaction, paired_bootstrap
from positions.book.pictures.classification import ranges
from positions.book.pictures.classification.study import (
    COPIES_TOGETHER,
    NOTHING,
    Study,
    groups,
    title,
)
from positions.book.pictures.length.names import many
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, menu
from positions.claims.rules import LEVEL
from positions.experiments.classification import readings
from positions.tasks.sentences import SETS

ORDER = ("sinusoidal", "gpt2", "roberta-base", "bert-base-uncased", COPIES_TOGETHER)
"""The order of the index probe, the best first."""
COLUMNS = [
    *("task", "pair", "slope", "low", "high", "p", "corrected"),
    *("pairs", "texts"),
]


def compared(study: Study) -> list[tuple[str, str]]:
    """Return pairs (better at the index, next), and last the best and the worst of them."""
    here = [name for name in ORDER if name in groups(study)]
    found = list(pairwise(here))
    return [*found, (here[0], here[-1])] if len(here) > 2 else found


def table(study: Study) -> pd.DataFrame:
    """Return `COLUMNS`: how each lead grows with the logarithm of the length, set by set.

    In log odds for each factor e of length; `corrected` by Holm for all rows. A set whose texts do
    not tell has no row.
    """
    sides = groups(study)
    rows = []
    for one, other in compared(study):
        parts = [
            readings.pairs(study.records, first, second)
            for first in sides[one]
            for second in sides[other]
        ]
        pairs = pd.concat(parts, ignore_index=True)
        for task in study.sets:
            part = pairs[pairs["task"] == task]
            if not len(part):
                continue
            words = np.log(part["words"].astype(float))
            found = interaction(part["one"], part["other"], words, part["text"])
            if np.isfinite(found.value):
                slope = [found.value, found.low, found.high, found.p_value, np.nan]
                rows.append([task, _pair(one, other), *slope, found.pairs, found.texts])
    frame = pd.DataFrame(rows, columns=COLUMNS)
    if len(frame):
        frame["corrected"] = holm(frame["p"].tolist())
    return frame


def chart(study: Study) -> Picture | Note:
    """Draw how a lead that the reader chooses grows with length, set by set."""
    found = table(study)
    if not len(found):
        return Note(NOTHING)
    frame = ranges.marked(found)
    names = list(dict.fromkeys(frame["pair"]))
    names = [names[-1], *names[:-1]]  # the best and the worst first
    return Picture(
        ranges.drawn(
            frame,
            study.sets,
            "slope",
            "growth of the lead, log odds",
            menu("length_pair", {name: name for name in names}, "lead of"),
            "datum.pair == length_pair",
            [
                alt.Tooltip("slope:Q", title="log odds", format=".2f"),
                alt.Tooltip("low:Q", title="from", format=".2f"),
                alt.Tooltip("high:Q", title="to", format=".2f"),
                alt.Tooltip("corrected:Q", title="corrected p", format=".3f"),
                alt.Tooltip("pairs:Q", title="pairs that tell"),
            ],
        ),
        "How the lead of one table over another changes with the logarithm of the text's length, "
        "in log odds, for each set: estimate and 95 % interval. A menu chooses the two tables.",
        frame[["set", *COLUMNS[1:]]],
    )


def said(study: Study) -> str:
    """Say how many slopes are sure, and of which sign."""
    found = table(study)
    if not len(found):
        return NOTHING
    alone = int((found["p"] < LEVEL).sum())
    sure = found[found["corrected"] < LEVEL]
    words = (
        f"Of {many(len(found), 'slope')}, {alone or 'none'} would have p below {LEVEL} if it were "
        f"the only one, and {len(sure) or 'none'} {'has' if len(sure) == 1 else 'have'} after "
        "Holm's correction."
    )
    for task, pair, slope in zip(sure["task"], sure["pair"], sure["slope"], strict=True):
        way = "grows" if slope > 0 else "shrinks"
        words += f" On {SETS[task].title} the lead of {pair} {way} with length."
    return words


def halves(study: Study) -> pd.DataFrame:
    """Return the lead of the first table of the order over the last in either half of each set.

    In percentage points with a 95 % interval over texts; halves by the median length of the texts.
    """
    pairs = compared(study)
    columns = ["up to, words", "shorter half", "longer half"]
    if not pairs:
        return pd.DataFrame(columns=columns)
    one, other = pairs[-1]
    sides = groups(study)
    table = readings.pairs(study.records, sides[one], sides[other])
    rows = {}
    for name in study.sets:
        part = table[table["task"] == name]
        if len(part):
            middle = part["words"].median()
            short = part["words"] <= middle
            cells = [_lead(part[short]), _lead(part[~short])]
            rows[SETS[name].title] = [f"{middle:.0f}", *cells]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _lead(part: pd.DataFrame) -> str:
    if not len(part):
        return "none"
    by_text = part.groupby("text")[["one", "other"]].mean()
    gap = paired_bootstrap(by_text["one"], by_text["other"])
    if gap.n == 1:
        return f"{100 * gap.mean:+.1f}"
    return f"{100 * gap.mean:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})"


def _pair(one: str, other: str) -> str:
    return f"{title(one)} over {title(other)}"
