"""Whether two tables differ at all: text by text, corrected for how many pairs are looked at."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.analysis.statistics import holm, interval
from positions.analysis.texts import mcnemar, paired_bootstrap
from positions.book.pictures.classification import ranges
from positions.book.pictures.classification.study import NOTHING, Study, title
from positions.book.pictures.length.names import listed, many
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, menu
from positions.claims.rules import LEVEL
from positions.experiments.classification import readings
from positions.experiments.classification.start import SINUSOID
from positions.tasks.sentences import SETS

REFERENCE = SINUSOID
COLUMNS = [
    *("task", "other", "gap", "low", "high", "seed_low", "seed_high"),
    *("only_sinusoid", "only_other", "p", "corrected", "seeds", "texts", "single"),
]


def table(study: Study) -> pd.DataFrame:
    """Return `COLUMNS`: the sinusoid against each other table, set by set, in percentage points.

    `low` to `high` is the bootstrap interval over texts, `seed_low` to `seed_high` that over seeds.
    `p` is McNemar's, text by text in the mean over seeds, `corrected` by Holm for all rows.
    `single`: of how many seeds the single pair of runs has p < 0.05 by itself.
    """
    rows = []
    for name in study.tables:
        if name == REFERENCE:
            continue
        pairs = readings.pairs(study.records, REFERENCE, name)
        for task in study.sets:
            part = pairs[pairs["task"] == task]
            if len(part):
                rows.append({"task": task, "other": name, **_compared(part)})
    found = pd.DataFrame(rows, columns=COLUMNS)
    if len(found):
        found["corrected"] = holm(found["p"].tolist())
    return found


def chart(study: Study) -> Picture | Note:
    """Draw the lead of the sinusoid over a table that the reader chooses, set by set."""
    found = table(study)
    if not len(found):
        return Note(NOTHING)
    frame = ranges.marked(found).assign(rival=[title(name) for name in found["other"]])
    rivals = {name: name for name in dict.fromkeys(frame["rival"])}
    return Picture(
        ranges.drawn(
            frame,
            study.sets,
            "gap",
            "percentage points, 95 % interval over texts",
            menu("gaps_rival", rivals, "sinusoid minus"),
            "datum.rival == gaps_rival",
            [
                alt.Tooltip("gap:Q", title="sinusoid minus other", format=".2f"),
                alt.Tooltip("low:Q", title="from", format=".2f"),
                alt.Tooltip("high:Q", title="to", format=".2f"),
                alt.Tooltip("seed_low:Q", title="over seeds from", format=".2f"),
                alt.Tooltip("seed_high:Q", title="to", format=".2f"),
                alt.Tooltip("p:Q", title="McNemar's p", format=".3f"),
                alt.Tooltip("corrected:Q", title="corrected p", format=".3f"),
                alt.Tooltip("seeds:Q"),
                alt.Tooltip("texts:Q"),
            ],
        ),
        "By how many percentage points the sinusoid is ahead of another table, for each set: the "
        "mean with its 95 % interval over texts. A menu chooses the other table.",
        frame[["set", "rival", *COLUMNS[2:-1]]],
    )


def said(study: Study) -> str:
    """Say how many of the comparisons tell two tables apart, corrected and not."""
    found = table(study)
    if not len(found):
        return NOTHING
    alone = int((found["p"] < LEVEL).sum())
    sure = found[found["corrected"] < LEVEL]
    words = (
        f"Of {many(len(found), 'comparison')} of the sinusoid with another table on one set, "
        f"{alone or 'none'} would have p below {LEVEL} if it were the only one (chance gives one "
        f"in twenty), and {len(sure) or 'none'} {'has' if len(sure) == 1 else 'have'} after Holm's "
        "correction for all of them."
    )
    for way, part in (("ahead of", sure[sure["gap"] > 0]), ("behind", sure[sure["gap"] < 0])):
        names = [
            f"{title(str(other))} on {listed(SETS[task].title for task in rows['task'])}"
            for other, rows in part.groupby("other", sort=False)
        ]
        if names:
            words += f" The sinusoid is {way} {'; '.join(names)}."
    single, runs = int(found["single"].sum()), int(found["seeds"].sum())
    return (
        f"{words} With one run a table, which is what the paper has, {single} of "
        f"{many(runs, 'pair')} of runs would have been told apart."
    )


def _compared(part: pd.DataFrame) -> dict[str, float]:
    """Compare two tables on one set."""
    by_text = part.groupby("text", sort=False)[["one", "other"]].mean()
    by_seed = part.groupby("seed")[["one", "other"]].mean()
    gap = paired_bootstrap(by_text["one"], by_text["other"])
    seeds = interval(by_seed["one"] - by_seed["other"])
    told = mcnemar(by_text["one"], by_text["other"])
    single = [mcnemar(run["one"], run["other"]).p_value < LEVEL for _, run in part.groupby("seed")]
    return {
        "gap": 100 * gap.mean,
        "low": 100 * gap.low,
        "high": 100 * gap.high,
        "seed_low": 100 * seeds.low,
        "seed_high": 100 * seeds.high,
        "only_sinusoid": told.first,
        "only_other": told.second,
        "p": told.p_value,
        "seeds": seeds.n,
        "texts": len(by_text),
        "single": sum(single),
    }
