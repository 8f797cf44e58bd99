"""What a claim is, what is known for and against it, and what a verdict says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

from positions import experiments
from positions.runs import Record, Store, frame

Status = Literal[
    "reproduced", "same direction", "not reproduced", "undecided", "not tested at this scale"
]
STATUSES: tuple[Status, ...] = (
    "reproduced",
    "same direction",
    "not reproduced",
    "undecided",
    "not tested at this scale",
)

PAPERS = {
    "position-embeddings": "Wang & Chen 2020",
    "length-generalization": "Kazemnejad et al. 2023",
}


@dataclass(frozen=True)
class Figure:
    """One number of a claim: the published one, and ours with its range.

    `low` to `high` holds the middle 95 % of our single runs (`n` of them) where the published
    figure is one run, and the 95 % interval of our mean where it is a mean. None: not at hand.
    """

    name: str
    published: float | None = None
    ours: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True)
class Finding:
    """What a test makes of the records: the verdict's parts that are computed."""

    status: Status
    reason: str
    figures: tuple[Figure, ...] = ()
    records: tuple[str, ...] = ()


class Evidence:
    """What is recorded of one preset, read once."""

    def __init__(self, store: Store, preset: str) -> None:
        self.preset = preset
        self._store = store
        self._records: dict[str, list[Record]] = {}

    def records(self, experiment: str) -> list[Record]:
        """Return the current records of an experiment; none where it lacks this preset."""
        if experiment not in self._records:
            known = experiments.get(experiment)
            found = self._store.load(known, self.preset) if self.preset in known.presets else []
            self._records[experiment] = found
        return self._records[experiment]

    def frame(self, experiment: str) -> pd.DataFrame:
        """Return the current records of an experiment as a table, diverged runs left out."""
        return frame([item for item in self.records(experiment) if item.status == "ok"])

    def sources(self, keys: Iterable[str]) -> dict[str, list[str]]:
        """Return the keys by experiment, of the experiments read so far."""
        wanted = set(keys)
        found = {
            experiment: [record.key for record in records if record.key in wanted]
            for experiment, records in sorted(self._records.items())
        }
        return {experiment: known for experiment, known in found.items() if known}


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, in our words, and how it is judged.

    `quantity`: what the published figures measure, with their unit. `published` returns them by
    name, from the published tables; empty where none is at hand. `effect`: the smallest
    difference that counts, in words and as used by the test. `test` is None while no experiment
    bears on the claim; `missing` then says what it would take. `chapter` is the chapter of the
    book that judges it, empty where none does.
    """

    paper: str
    number: str
    where: str
    statement: str
    quantity: str
    effect: str
    missing: str = ""
    published: Callable[[], dict[str, float]] = dict
    test: Callable[[Claim, Evidence], Finding] | None = None
    chapter: str = ""

    @property
    def id(self) -> str:
        """Return the claim's name, such as "position-embeddings/C1"."""
        return f"{self.paper}/{self.number}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the published figures, with none of ours beside them."""
        return tuple(Figure(name, value) for name, value in self.published().items())


@dataclass(frozen=True)
class Verdict:
    """What the records say about a claim. Every word of `status` and `reason` is computed."""

    claim: Claim
    status: Status
    reason: str
    figures: tuple[Figure, ...] = ()
    records: tuple[str, ...] = field(default=(), repr=False)

    @property
    def ours(self) -> str:
        """Return our figures with their ranges in one line."""
        return "; ".join(_spell(figure) for figure in self.figures if figure.ours is not None)

    @property
    def published(self) -> str:
        """Return the published figures in one line, "not at hand" where there are none."""
        known = [figure for figure in self.figures if figure.published is not None]
        return "; ".join(f"{item.name} {_number(item.published)}" for item in known) or (
            "not at hand"
        )


def untested(claim: Claim, reason: str) -> Finding:
    """Return that a claim is not tested at this scale, with what is published of it."""
    return Finding("not tested at this scale", reason, claim.figures())


def _spell(figure: Figure) -> str:
    spelt = f"{figure.name} {_number(figure.ours)}"
    if figure.low is None or figure.high is None:
        return spelt
    return f"{spelt} ({_number(figure.low)} to {_number(figure.high)})"


def _number(value: float | None) -> str:
    """Return a number with up to four digits that count and three decimals, no power of ten."""
    if value is None:
        return "not at hand"
    decimals = 3 if abs(value) < 10 else 2 if abs(value) < 100 else 0
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
