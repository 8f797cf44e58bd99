"""What the recorded runs say, as tidy tables: one row a run, or one row a run and length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import pandas as pd

from positions.errors import InvalidValueError, unknown_name
from positions.experiments._recorded import R, Recorded, no_two_alike
from positions.experiments.length_generalization.config import (
    NAME,
    LengthConfig,
    Options,
    read_options,
    spell_options,
)

Weights = Literal["best", "last"]

_MEMBERS = {
    "primitive": (
        "copy_v1_repeat",
        "copy_v1_repeat_2x",
        "copy_v2_replace",
        "copy_v3_multi",
        "copy_v3_multi_2x",
        "reverse_v1",
        "reverse_v1_2x",
        "reverse_v2_revcopy",
    ),
    "mathematical": (
        "addition",
        "summation",
        "parity",
        "sort_single",
        "sort_multi",
        "polynomial",
        "lego",
    ),
    "classic": ("scan", "pcfg"),
}
GROUPS: dict[str, str] = {task: group for group, tasks in _MEMBERS.items() for task in tasks}
"""The group of each of the 17 tasks, in the paper's order (Figure 2)."""

PAPER_VARIANTS = ("nope", "t5", "alibi", "rotary", "sinusoidal")
"""The paper's five, in the order of its result; its APE is the sinusoid."""
VARIANTS = ("nope", "sinusoidal", "learned", "t5", "alibi", "rotary", "rotary, whole")
"""All seven of the grid, in the book's order."""

# Options as read, so that 1 and 1.0 are the same; an encoding's defaults are spelled out.
_STANDARD: tuple[tuple[str, Options, str], ...] = (
    ("sinusoidal", {}, "sinusoidal"),
    ("sinusoidal", {"amplitude": 1.0}, "sinusoidal"),
    ("learned", {}, "learned std=0.02"),
    ("learned", {"std": 1.0}, "learned"),
    ("rotary", {}, "rotary, whole"),
    ("rotary", {"fraction": 1.0}, "rotary, whole"),
    ("rotary", {"fraction": 0.25}, "rotary"),
)

_IDENTITY = ["task", "variant", "seed"]
_NEEDED = ("task", "encoding", "encoding_options", "seed", "chance")


def variant(encoding: str, options: str = "") -> str:
    """Return the one name of an encoding with its options, for tables and charts.

    "rotary" turns a quarter of each head, as the paper's code did; "rotary, whole" turns all.
    Whatever is not among `VARIANTS` bears its options: "sinusoidal amplitude=0.1". Raises
    `InvalidValueError` for options that cannot be read.
    """
    read = read_options(options)
    for known, settings, name in _STANDARD:
        if (known, settings) == (encoding, read):
            return name
    return f"{encoding} {spell_options(read)}".strip()


def scores(frame: pd.DataFrame, *, within: bool = False, weights: Weights = "best") -> pd.DataFrame:
    """Return task, group, variant, seed, accuracy, iid, chance: one row a run.

    `frame` is `runs.frame(records)`, whose index is kept. `accuracy` is the exact match beyond the
    training lengths, or within them if `within`; `iid` is always within. `weights`: the best by
    validation, as in the paper, or the last. A run that diverged has NaN for both. A task that is
    none of the paper's is of the group "other". Sorted by task, variant and seed.

    Raises `InvalidValueError` for no runs, a missing column, and two runs of one task, variant
    and seed, naming the settings in which they differ; `UnknownNameError` for unknown weights.
    """
    if weights not in ("best", "last"):
        raise unknown_name("weights", weights, ("best", "last"))
    beyond, iid = f"ood_{weights}", f"iid_{weights}"
    _check(frame, (*_NEEDED, beyond, iid))
    names = [
        variant(encoding, options)
        for encoding, options in zip(frame.encoding, frame.encoding_options, strict=True)
    ]
    _check_single(frame.assign(variant=names))
    table = pd.DataFrame(
        {
            "task": frame.task,
            "group": [GROUPS.get(task, "other") for task in frame.task],
            "variant": names,
            "seed": frame.seed,
            "accuracy": frame[iid if within else beyond].astype(float),
            "iid": frame[iid].astype(float),
            "chance": frame.chance.astype(float),
        },
        index=frame.index,
    )
    return table.sort_values(_IDENTITY, key=_in_order, kind="stable")


def single(records: Iterable[R]) -> list[R]:
    """Return the records; raises `InvalidValueError` where two are of one task, variant and seed.

    The message names both, with the settings in which they differ and where they are recorded.
    """
    return no_two_alike(
        records,
        lambda config: {
            "task": config["task"],
            "variant": variant(config["encoding"], config["encoding_options"]),
            "seed": f"seed {config['seed']}",
        },
    )


def by_length(records: Iterable[Recorded], weights: Weights = "best") -> pd.DataFrame:
    """Return task, variant, seed, length, count, accuracy, trained: one row a run and length.

    `trained` says whether the length is among those trained on. Runs that diverged have no rows.
    Raises `InvalidValueError` for no runs, and for two of one task, variant and seed;
    `UnknownNameError` for unknown weights.
    """
    if weights not in ("best", "last"):
        raise unknown_name("weights", weights, ("best", "last"))
    records = list(records)
    settings = pd.DataFrame([dict(record.config) for record in records])
    _check(settings, _NEEDED[:-1])
    names = [variant(each.config["encoding"], each.config["encoding_options"]) for each in records]
    _check_single(settings.assign(variant=names))
    tables = [
        _curve(record, name, weights)
        for record, name in zip(records, names, strict=True)
        if record.series.get("length")
    ]
    columns = [*_IDENTITY, "length", "count", "accuracy", "trained"]
    if not tables:
        return pd.DataFrame(columns=columns)
    table = pd.concat(tables, ignore_index=True)
    order = [*_IDENTITY, "length"]
    return table.sort_values(order, key=_in_order, kind="stable", ignore_index=True)[columns]


def _curve(record: Recorded, name: str, weights: Weights) -> pd.DataFrame:
    """Return the rows of one run, one a length."""
    lengths = record.series["length"]
    return pd.DataFrame(
        {
            "task": record.config["task"],
            "variant": name,
            "seed": record.config["seed"],
            "length": lengths,
            "count": record.series["count"],
            "accuracy": record.series[f"accuracy_{weights}"],
            "trained": [length <= record.config["longest"] for length in lengths],
        }
    )


def _in_order(column: pd.Series) -> pd.Series:
    """Sort tasks and variants as the paper and the book do, others after them by name."""
    listed = {"task": tuple(GROUPS), "variant": VARIANTS}.get(str(column.name))
    if listed is None:
        return column
    others = sorted(set(column) - set(listed))
    return column.map({name: place for place, name in enumerate((*listed, *others))})


def _check(frame: pd.DataFrame, needed: Iterable[str]) -> None:
    """Raise where there are no runs, or not the columns of this experiment's."""
    if not len(frame):
        raise InvalidValueError(
            f"No recorded runs to read. `positions sweep {NAME} --preset laptop` records them."
        )
    missing = [name for name in needed if name not in frame]
    if missing:
        raise InvalidValueError(
            f"The table lacks {', '.join(missing)}: it does not hold runs of {NAME}. Read its "
            "records, `runs.frame(records)`."
        )


def _check_single(frame: pd.DataFrame) -> None:
    """Raise where two runs share task, variant and seed."""
    twice = frame[frame.duplicated(_IDENTITY, keep=False)]
    if not len(twice):
        return
    count = len(twice.drop_duplicates(_IDENTITY))
    first = twice.iloc[0]
    same = twice[(twice[_IDENTITY] == first[_IDENTITY]).all(axis=1)]
    differ = [
        f"{name} ({' / '.join(str(value) for value in same[name].drop_duplicates())})"
        for name in LengthConfig.model_fields
        if name in same and same[name].drop_duplicates().size > 1
    ]
    why = f"They differ in {', '.join(differ)}" if differ else "Their settings are the same"
    more = f" ({count - 1} more like it)" if count > 1 else ""
    raise InvalidValueError(
        f"{len(same)} runs of {first.task}, {first.variant}, seed {first.seed}{more}. {why}. Take "
        "the runs of one preset, or choose among the settings."
    )
