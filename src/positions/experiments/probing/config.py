"""What defines a probing run, and the rows it probes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from positions import tables
from positions.errors import InvalidValueError, unknown_name
from positions.experiments.base import Config
from positions.experiments.probing.measures import MEASURES
from positions.tables import Table, controls

ROUGH = "noisy-after-128"
# Noise of the toy: its s.d. before and from the row where BERT's training grows thin.
TURN, EARLY, LATE = 128, 0.05, 1.5


class ProbingConfig(Config):
    """One measure on one table.

    `table`: a name that `positions.tables.load` knows, or `noisy-after-128:<table>`, which adds
    noise of s.d. 0.05 to the rows before 128 and 1.5 to those after. `measure`: a name of
    `MEASURES`. `seeds`: seeds 0 .. seeds-1 are run. `positions`: how many rows are probed, from
    the first; what comes after is cut off before a control shuffles or rotates the table.
    `unused_rows`: keep rows that no token uses, as published for RoBERTa.
    """

    table: str
    measure: str
    seeds: int = Field(default=1, ge=1)
    positions: int = Field(default=512, ge=40)
    unused_rows: bool = False

    @field_validator("measure")
    @classmethod
    def _known_measure(cls, name: str) -> str:
        if name not in MEASURES:
            raise unknown_name("measure", name, MEASURES)
        return name

    @property
    def is_random(self) -> bool:
        """Whether each seed probes a table of its own."""
        return self.table.startswith(f"{ROUGH}:") or "seed" in tables.options(self.table)


def requires(config: ProbingConfig) -> str | None:
    """Return why a config can't run here: its table is not at hand. None where it can."""
    base = config.table.removeprefix(f"{ROUGH}:")
    if tables.at_hand(base):
        return None
    return f"the table {base} is not at hand (`positions data` says how to get it)"


def rows(config: ProbingConfig, seed: int) -> Table:
    """Return the table that a seed probes, cut to the config's positions."""
    kind, colon, base = config.table.partition(":")
    if not colon or kind not in {*controls.DERIVED, ROUGH}:
        return _cut(config.table, config.positions, config.unused_rows, seed)
    table = _cut(base, config.positions, config.unused_rows, seed)
    if kind == ROUGH:
        return noisy_after(table, seed)
    return controls.DERIVED[kind](table, seed=seed)


def noisy_after(table: Table, seed: int) -> Table:
    """Return a table with little noise before row 128 and much from there on."""
    deviation = np.where(np.arange(table.positions) < TURN, EARLY, LATE)[:, None]
    noise: NDArray[np.float64] = np.random.default_rng([seed, 7]).standard_normal(table.rows.shape)
    return Table(
        f"{ROUGH}:{table.name}",
        table.rows + deviation * noise,
        f"{table.title}, noisy after {TURN}",
        f"{table.source} Then noise of s.d. {EARLY} before row {TURN}, {LATE} from there on.",
    )


def _cut(name: str, positions: int, unused_rows: bool, seed: int) -> Table:
    """Load a table and cut it to its first rows."""
    options = tables.options(name)
    given: dict[str, int | bool] = {}
    if "positions" in options:
        given["positions"] = positions
    if "seed" in options:
        given["seed"] = seed
    if unused_rows:
        given["unused_rows"] = True
    table = _load(name, **given)
    if table.positions < positions:
        raise InvalidValueError(
            f"The table {name} has {table.positions} rows: positions = {positions} is too many."
        )
    return Table(table.name, table.rows[:positions], table.title, table.source, table.note)


@lru_cache(maxsize=4)
def _load(name: str, **given: int | bool) -> Table:
    return tables.load(name, **given)
