"""What the recorded runs say, as tidy tables: one row a run, or one row a run and its rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from positions.experiments._recorded import Recorded, no_two_alike
from positions.experiments.language_modelling.presets import PUBLISHED
from positions.experiments.language_modelling.start import RANDOM, ZEROS

TRAINED = "trained"
"""Beside the name of a table that training may change."""
RANDOM_TRAINED = f"{RANDOM}, {TRAINED}"

IDENTITY = ["corpus", "objective", "table", "first", "stride", "seed"]
SCORES = ("loss", "perplexity", "validation_loss", "kept")
_SETTING = ["corpus", "objective", "seed"]


def named(config: Mapping[str, Any]) -> str:
    """Return what a run's table is called: its name, and whether it is trained."""
    return config["table"] if config["frozen"] else f"{config['table']}, {TRAINED}"


def is_plain(table: pd.DataFrame) -> pd.Series:
    """Say which rows are of the first rows of a table, one after the other."""
    return (table["first"] == 0) & (table["stride"] == 1)


def is_published(objective: str, table: str) -> bool:
    """Whether the authors' code lists that table with that objective."""
    return (objective, table) in PUBLISHED


def runs(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return `IDENTITY`, `SCORES` and `gain`: one row a run that did not diverge.

    `first` and `stride` are the rows trained with. `gain` is how much lower the loss is than that
    of the same objective, corpus and seed with no positions at all (the table of zeros), in nats
    a token; NaN where that run is missing. Only within an objective do losses compare. Raises
    `InvalidValueError` where two runs share `IDENTITY`.
    """
    rows = [
        {
            **_identity(record.config),
            **{name: _number(record.metrics.get(name)) for name in SCORES},
        }
        for record in _usable(records)
    ]
    table = pd.DataFrame(rows, columns=[*IDENTITY, *SCORES])
    zeros = table[(table["table"] == ZEROS) & is_plain(table)].set_index(_SETTING)["loss"]
    without = table.join(zeros.rename("without"), on=_SETTING)["without"]
    return table.assign(gain=without - table["loss"])


def skipped(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return corpus, objective, table, seed, `rows`, `trained`, `swapped`: what other rows cost.

    One row for each run with the first rows of a table, and each other selection of its rows that
    was tried. `swapped` is the rise in loss when the trained model is given those rows in the test;
    `trained` that of a model trained with them from the start, as in the paper, NaN where there
    is no such run. In nats a token; `rows` is `(first, stride)`, also as columns.
    """
    found = _usable(records)
    by_name = {tuple(_identity(record.config).values()): record for record in found}
    rows = []
    for record in found:
        identity = _identity(record.config)
        if (identity["first"], identity["stride"]) != (0, 1):
            continue
        own = _number(record.metrics["loss"])
        series = record.series
        for first, stride, loss in zip(
            series["first"][1:], series["stride"][1:], series["loss"][1:], strict=True
        ):
            other = by_name.get(tuple({**identity, "first": first, "stride": stride}.values()))
            there = math.nan if other is None else _number(other.metrics["loss"])
            rows.append(
                {
                    **identity,
                    "first": first,
                    "stride": stride,
                    "swapped": _number(loss) - own,
                    "trained": there - own,
                }
            )
    return pd.DataFrame(rows, columns=[*IDENTITY, "swapped", "trained"])


def _usable(records: Iterable[Recorded]) -> list[Recorded]:
    """Return the runs that did not diverge, none twice."""
    found = no_two_alike(records, _identity)
    return [each for each in found if each.metrics.get("loss") is not None]


def _identity(config: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "corpus": config["corpus"],
        "objective": config["objective"],
        "table": named(config),
        "first": config["first"],
        "stride": config["stride"],
        "seed": config["seed"],
    }


def _number(value: float | None) -> float:
    return math.nan if value is None else value
