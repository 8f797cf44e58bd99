"""The recorded runs that the chapter looks at, and which are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions.book import records as records_
from positions.book.pictures.labels import label
from positions.experiments.translation import readings
from positions.experiments.translation.config import NAME
from positions.experiments.translation.presets import GRID
from positions.experiments.translation.start import MATCHED
from positions.runs import Record
from positions.tasks.translations import generated

NOTHING = "No translations of real text are recorded yet."


@dataclass(frozen=True)
class Study:
    """Recorded runs: `records` of real text, and `runs` as `readings.runs` gives them.

    `made_up`: how many runs on the generated language there are, which are in nothing else.
    `tables`: those of the grid with recorded runs, in the book's order. `lacking`, `wanted`: how
    many runs of the preset are not recorded, and how many it has.
    """

    preset: str
    records: Sequence[Record]
    runs: pd.DataFrame
    made_up: int
    tables: Sequence[str]
    lacking: int
    wanted: int

    @property
    def grid(self) -> pd.DataFrame:
        """The runs with one loss, one scale and the right offset, whose tables are trained."""
        return self.runs[is_grid(self.runs)]

    def of_grid(self) -> list[Record]:
        """Return the records of the same."""
        return [
            each
            for each in self.records
            if each.config["preparation"] == MATCHED and not each.config["frozen"]
        ]


def is_grid(runs: pd.DataFrame) -> pd.Series:
    """Say which rows are of the grid."""
    return (runs["preparation"] == MATCHED) & ~runs["frozen"].astype(bool)


def choose(records: Sequence[Record], preset: str) -> Study:
    """Choose the runs on real text, and count what the preset lacks.

    Raises `InvalidValueError` where two runs are of one kind.
    """
    real = [record for record in records if record.config["corpus"] != generated.NAME]
    runs = readings.runs(real)
    own = runs[is_grid(runs)]
    known = [*own["encoder"], *own["decoder"]]
    experiment = experiments.get(NAME)
    configs = experiment.configs(preset)
    here = {record.key for record in records}
    return Study(
        preset,
        real,
        runs,
        len(records) - len(real),
        [name for name in dict.fromkeys([*GRID, *known]) if name in known],
        sum(experiment.key(config) not in here for config in configs),
        len(configs),
    )


def notice(study: Study) -> HTML:
    """Return a note that says how many runs of the preset are not recorded; empty if all are."""
    if not study.records:
        return HTML("")
    more = (
        "What takes a table or a text that is not at hand is left out, and <code>positions "
        "data</code> says how to get them."
    )
    return records_.notice(NAME, study.preset, study.lacking, len(study.records), [], more)


def title(table: str) -> str:
    """Return the name of a table as charts show it."""
    return label(table)
