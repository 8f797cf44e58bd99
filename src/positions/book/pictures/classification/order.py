"""Whether positions matter at all: words shuffled, positions moved on, no positions."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from positions.analysis.statistics import interval, paired_difference
from positions.book.pictures.classification.study import MEAN, NOTHING, Study, title
from positions.experiments.classification.readings import FROZEN, PAPER
from positions.experiments.classification.start import ZEROS
from positions.tasks.sentences import GENERATED

GENERATED_TITLE = "generated language"


def disturbed(study: Study) -> pd.DataFrame:
    """Return a row a table: what accuracy loses, in points, in the mean of the sets.

    With the words of each text in random order, and with all positions moved on; and on the
    generated language the same. 95 % intervals over seeds.
    """
    kinds = {
        "words shuffled": ("accuracy", "shuffled"),
        "positions moved on": ("unshifted", "shifted"),
    }
    runs = study.runs[study.runs["arm"] == PAPER]
    rows: dict[str, dict[str, str]] = {}
    for name in study.tables:
        own = runs[runs["table"] == name]
        cells = {}
        for where, tasks in ((MEAN, study.sets), (GENERATED_TITLE, [GENERATED])):
            for what, (whole, changed) in kinds.items():
                cells[f"{where}: {what}"] = _loss(own[own["task"].isin(tasks)], whole, changed)
        if any(cells.values()):
            rows[title(name)] = cells
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")


def bag_of_words(study: Study) -> pd.DataFrame:
    """Return a row a table: accuracy in percent of zeros that stay zero, and of each other table.

    In the mean of the sets that all of them have, and on the generated language; in the mean over
    seeds with 95 % intervals.
    """
    rows = {}
    kinds = [(ZEROS, FROZEN), *((name, PAPER) for name in study.tables)]
    sets = _shared(study, kinds)
    for name, arm in kinds:
        part = study.runs[(study.runs["table"] == name) & (study.runs["arm"] == arm)]
        if len(part):
            label = f"{title(name)}, frozen" if arm == FROZEN else title(name)
            rows[label] = {
                MEAN: _mean(part, sets),
                GENERATED_TITLE: _mean(part, [GENERATED]),
            }
    return pd.DataFrame.from_dict(rows, orient="index", columns=[MEAN, GENERATED_TITLE])


def said(study: Study) -> str:
    """Say what each table gains over zeros that stay zero, paired by set and seed."""
    runs = study.of(PAPER, FROZEN)
    frozen = runs[(runs["table"] == ZEROS) & (runs["arm"] == FROZEN)]
    none = frozen.set_index(["task", "seed"])["accuracy"]
    parts = []
    for name in study.tables:
        own = runs[(runs["table"] == name) & (runs["arm"] == PAPER)]
        both = own.set_index(["task", "seed"])["accuracy"].to_frame("own").join(none, how="inner")
        if name != ZEROS and len(both) > 1:
            gap = paired_difference(100 * both["own"], 100 * both["accuracy"])
            parts.append(
                f"{title(name)} {gap.mean:+.1f} ({gap.low:+.1f} to {gap.high:+.1f}, "
                f"p {gap.p_value:.2g})"
            )
    if not parts:
        return NOTHING
    return (
        "Beside a table that is zero and stays zero, in percentage points, paired by set and seed: "
        f"{'; '.join(parts)}."
    )


def _shared(study: Study, kinds: Sequence[tuple[str, str]]) -> list[str]:
    """Return the sets that all of these tables, each in its arm, have runs on, if they have any."""
    places = study.runs.groupby(["table", "arm"])["task"].agg(set).to_dict()
    recorded = [places[kind] & set(study.sets) for kind in kinds if kind in places]
    return [name for name in study.sets if all(name in found for found in recorded if found)]


def _loss(part: pd.DataFrame, whole: str, changed: str) -> str:
    gaps = (100 * (part[changed] - part[whole])).groupby(part["seed"]).mean().dropna()
    return _spelt(gaps, "+.1f")


def _mean(part: pd.DataFrame, tasks: Sequence[str]) -> str:
    wide = part[part["task"].isin(tasks)].pivot_table(
        index="seed", columns="task", values="accuracy"
    )
    return _spelt(100 * wide.dropna().mean(axis=1), ".1f")


def _spelt(values: pd.Series, form: str) -> str:
    if not len(values):
        return ""
    found = interval(values)
    mean = format(found.mean, form)
    if found.n == 1:
        return mean
    return f"{mean} ({format(found.low, form)} to {format(found.high, form)})"
