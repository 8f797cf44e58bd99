"""What the recorded runs say, as tidy tables: one row a run, and the rank of each format."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from positions.analysis.ranking import reciprocal_ranks
from positions.errors import InvalidValueError
from positions.experiments.length_generalization import readings as lengths
from positions.experiments.scratchpad.config import NAME, TASKS, ScratchpadConfig
from positions.experiments.scratchpad.presets import formats_of
from positions.tasks.scratchpad import NONE, formats

FORMATS = (NONE, *formats())
"""The paper's formats in its order; a task without a variable has no "full-V"."""
MERGED = "full-I/C"
"""The format without the input and the one without the computation, taken as one.

On the tasks of `MERGING` the paper's plots name both "-Step Input". What it publishes as that is
their mean, and of neither is there a figure of its own.
"""
MERGING = tuple(name for name in TASKS if "full-V" not in formats_of(name))
"""The tasks without a variable: sorting and LEGO."""

_FIELDS = {"I": "input", "C": "computation", "O": "output", "V": "variable", "R": "remaining"}
_LABELS = {
    NONE: "no scratchpad",
    MERGED: "without input/computation",
    **{f"full-{letter}": f"without {field}" for letter, field in _FIELDS.items()},
}

_IDENTITY = ["task", "format", "variant", "seed"]
_METRICS = {"exact": "ood_exact_best", "steps": "ood_steps"}
_OWN = {"task", "encoding", "encoding_options", "seed", "scratchpad", "paper_lengths"}
"""Settings in which the runs of one task may differ."""
_MERGED_AT = FORMATS.index("full-C") + 1
_ORDER = {
    "task": TASKS,
    "format": (*FORMATS[:_MERGED_AT], MERGED, *FORMATS[_MERGED_AT:]),
    "variant": lengths.VARIANTS,
}


def label(form: str) -> str:
    """Return a format's name to read: "full-V" is "without variable"; others stay as they are."""
    return _LABELS.get(form, form)


def order(forms: Iterable[str]) -> list[str]:
    """Return the different formats, sorted as the paper and the book have them."""
    column = pd.Series(list(dict.fromkeys(forms)), name="format", dtype=object)
    return list(column.sort_values(key=_in_order))


def scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Return task, format, variant, seed, accuracy, iid, chance, exact, steps: one row a run.

    `frame` is `runs.frame(records)`, whose index is kept. `accuracy`: the share of right answers
    beyond the training lengths; `iid`: the same within them; `exact`: of the texts beyond them,
    the share that is right word for word; `steps`: their mean share of right steps, NaN without a
    scratchpad. All are NaN where a run diverged. Sorted by task, format, variant and seed, as the
    paper and the book have them.

    Raises `InvalidValueError` for no runs, for a missing column, where runs of one task differ in
    settings other than encoding, format and seed, and for two runs that share all of these.
    """
    _check(frame)
    found = pd.concat([lengths.scores(part) for _, part in frame.groupby("scratchpad")])
    own = frame.loc[found.index]
    found = found.drop(columns="group").assign(
        format=own["scratchpad"],
        **{name: own[column].astype(float) for name, column in _METRICS.items()},
    )
    columns = [*_IDENTITY, *(name for name in found if name not in _IDENTITY)]
    return found[columns].sort_values(_IDENTITY, key=_in_order, kind="stable")


def merged(table: pd.DataFrame) -> pd.DataFrame:
    """Return scores with the formats that the paper tells apart, see `MERGED`.

    Run by run, the mean of both stands for them; where one lacks or does not count, neither does.
    """
    apart = table["task"].isin(MERGING) & table["format"].isin(["full-I", "full-C"])
    if not apart.any():
        return table
    groups = table[apart].groupby(["task", "variant", "seed"], sort=False)
    both = groups.mean(numeric_only=True)[groups["accuracy"].count() == 2]
    both = both.reset_index().assign(format=MERGED)
    found = pd.concat([table[~apart], both[list(table)]])
    return found.sort_values(_IDENTITY, key=_in_order, kind="stable")


def choices(table: pd.DataFrame, alone: bool = False) -> pd.DataFrame:
    """Return accuracy without scratchpad, with the best format and with the worst one.

    One row a task, variant and seed (the index); columns none (may be NaN), best, worst. `table`
    has the columns of `scores`, NaN for an accuracy that does not count. Best and worst are chosen
    by their mean over the other seeds: the best of several in one and the same seed looks better
    than it is, the more so the more chance there is between seeds. `alone`: where there is one
    seed, choose in that one.
    """
    rows = []
    for (task, variant), part in table.groupby(["task", "variant"], sort=False):
        wide = part.pivot(index="seed", columns="format", values="accuracy")
        for seed in wide.index:
            here = wide.loc[seed]
            pads = here.drop(NONE, errors="ignore").dropna()
            rest = wide if alone and len(wide) == 1 else wide.drop(index=seed)
            others = rest[pads.index].mean().dropna()
            if len(others) > 1:
                found = {"none": here.get(NONE), "best": pads[others.idxmax()]}
                found["worst"] = pads[others.idxmin()]
                rows.append({"task": task, "variant": variant, "seed": seed, **found})
    index = ["task", "variant", "seed"]
    columns = [*index, "none", "best", "worst"]
    return pd.DataFrame(rows, columns=columns).set_index(index).astype(float)


def ranks(table: pd.DataFrame, whole: bool = True) -> pd.DataFrame:
    """Return 1 / rank of each format, one row a task, variant and seed (the index).

    Kazemnejad et al. (2023), section 6, Figures 6 and F.8. In each row the formats of the task
    are ranked by accuracy, the highest first; equal ones share their mean rank. `table` has the
    columns of `scores`, NaN for an accuracy that does not count; a row that lacks a format is left
    out. `whole`: only tasks that have runs in all of the paper's formats; else a task is ranked in
    those that it has runs in. A format that is not ranked is NaN.
    """
    columns = [name for name in _ORDER["format"] if name in set(table["format"])]
    parts = []
    for task, part in table.groupby("task", sort=False):
        names = [name for name in columns if name in set(part["format"])]
        lacks = not set(_all(str(task), MERGED in names)) <= set(names)
        if len(names) < 2 or (whole and lacks):
            continue
        # what ranking calls a task is an encoding here, and what competes in it a format
        queries = part.drop(columns="task").rename(columns={"variant": "task", "format": "variant"})
        ranked = reciprocal_ranks(queries, names, ties="mean").table.reset_index()
        parts.append(ranked.rename(columns={"task": "variant"}).assign(task=task))
    index = ["task", "variant", "seed"]
    found = pd.concat(parts) if parts else pd.DataFrame()
    return found.reindex(columns=[*index, *columns]).set_index(index)


def _all(task: str, merge: bool) -> list[str]:
    """Return the formats of a task, as the paper tells them apart if `merge`."""
    names = list(formats_of(task))
    if merge and task in MERGING:
        names = [MERGED if name == "full-I" else name for name in names if name != "full-C"]
    return names


def _in_order(column: pd.Series) -> pd.Series:
    """Sort as the paper and the book do, others after them by name."""
    listed = _ORDER.get(str(column.name))
    if listed is None:
        return column
    others = sorted(set(column) - set(listed))
    return column.map({name: place for place, name in enumerate((*listed, *others))})


def _check(frame: pd.DataFrame) -> None:
    """Raise where there are no runs, not the columns of this experiment's, or mixed settings."""
    how = f"`positions sweep {NAME} --preset laptop` records them."
    if not len(frame):
        raise InvalidValueError(f"No recorded runs to read. {how}")
    missing = [name for name in ("scratchpad", *_METRICS.values()) if name not in frame]
    if missing:
        raise InvalidValueError(
            f"The table lacks {', '.join(missing)}: it does not hold runs of {NAME}. Read its "
            f"records, `runs.frame(records)`; {how}"
        )
    for task, part in frame.groupby("task", sort=False):
        differ = [
            f"{name} ({' / '.join(map(str, part[name].drop_duplicates()))})"
            for name in ScratchpadConfig.model_fields
            if name in part and name not in _OWN and part[name].drop_duplicates().size > 1
        ]
        if differ:
            raise InvalidValueError(
                f"The runs of {task} differ in {', '.join(differ)}, so their formats and encodings "
                "cannot be compared. Take the runs of one preset, or choose among the settings."
            )
