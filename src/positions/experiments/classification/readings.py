"""What the recorded runs say, as tidy tables: one row a run, or one row a pair of answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from positions.experiments._recorded import Recorded, no_two_alike
from positions.experiments.classification.bits import unpack
from positions.tasks.sentences import GENERATED, SETS
from positions.tasks.sentences.splits import PERIOD

PAPER = "as in the paper"
Tables = str | Sequence[str]
_PREPARED = {
    "matched": "same scale",
    "whitened": "columns whitened",
    "turned": "columns rotated",
    "cut": "first columns, no components",
}
_READ = {"last_real": "last word", "first": "first word", "mean": "mean of the words"}
FROZEN = "frozen"
READOUTS = tuple(_READ.values())
PREPARATIONS = tuple(_PREPARED.values())

IDENTITY = ["task", "table", "arm", "seed"]
SCORES = (
    *("accuracy", "reported", "last", "majority", "unstable"),
    *("shuffled", "shifted", "unshifted", "kept", "changed"),
)
_PAIRS = ["task", "seed", "text", "words", "one", "other"]


def arm(config: Mapping[str, Any]) -> str:
    """Return what a run changes of the paper's procedure, as tables and charts name it."""
    parts = [
        _PREPARED.get(config["preparation"]),
        FROZEN if config["frozen"] else None,
        _READ.get(config["readout"]),
    ]
    return ", ".join(part for part in parts if part) or PAPER


def runs(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return task, table, arm, seed and `SCORES`: one row a run that did not diverge.

    A score that is undefined is NaN. Raises `InvalidValueError` where two runs share task, table,
    arm and seed, naming the settings in which they differ.
    """
    rows = [
        {
            **_identity(record.config),
            **{name: _number(record.metrics.get(name)) for name in SCORES},
        }
        for record in usable(records)
    ]
    return pd.DataFrame(rows, columns=[*IDENTITY, *SCORES])


def usable(records: Iterable[Recorded]) -> list[Recorded]:
    """Return the runs that did not diverge, none twice; raises as `runs`."""
    found = no_two_alike(records, _identity)
    return [each for each in found if each.metrics.get("accuracy") is not None]


def answers(record: Recorded) -> pd.DataFrame:
    """Return text, words, right: one row a test text of one run, the shortest first.

    `text` is the same for the same text in every run of a task. Raises `DamagedFileError` where
    the answers recorded are not as many as the texts.
    """
    words = np.repeat(record.series["length"], record.series["count"])
    right = unpack(record.series["right"][0], len(words))
    return pd.DataFrame(
        {"text": _names(record.config, len(words)), "words": words, "right": right.astype(float)}
    )


def pairs(
    records: Iterable[Recorded], one: Tables, other: Tables, arm: str = PAPER
) -> pd.DataFrame:
    """Return task, seed, text, words, one, other: a row for each text and seed of both tables.

    `one` and `other` name a table, or several that are taken together: their values are the share
    of them that was right. Raises as `runs` and `answers`.
    """
    sides = {"one": _named(one), "other": _named(other)}
    wanted = {name for names in sides.values() for name in names}
    read: dict[tuple[str, int], dict[str, pd.DataFrame]] = {}
    for record in usable(records):
        identity = _identity(record.config)
        if identity["arm"] == arm and identity["table"] in wanted:
            place = identity["task"], identity["seed"]
            read.setdefault(place, {})[identity["table"]] = answers(record)
    tables = []
    for (task, seed), found in read.items():
        right = {
            side: [found[name]["right"] for name in names if name in found]
            for side, names in sides.items()
        }
        if all(right.values()):
            means = {side: np.mean(values, axis=0) for side, values in right.items()}
            texts = next(iter(found.values()))[["text", "words"]]
            tables.append(texts.assign(task=task, seed=seed, **means))
    if not tables:
        return pd.DataFrame(columns=_PAIRS)
    return pd.concat(tables, ignore_index=True)[_PAIRS]


def published_first(names: Iterable[str]) -> list[str]:
    """Return names of sets in the book's order, others after them, the generated one last."""
    found = set(names)
    order = [name for name in SETS if name in found]
    return [*order, *sorted(found - set(SETS) - {GENERATED}), *({GENERATED} & found)]


def _identity(config: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "task": config["task"],
        "table": config["table"],
        "arm": arm(config),
        "seed": config["seed"],
    }


def _names(config: Mapping[str, Any], count: int) -> list[str]:
    """Name the test texts: by place where the set gives them, else also by the part they are in."""
    known = SETS.get(config["task"])
    if known is not None and known.test is not None:
        return [f"{place}" for place in range(count)]
    seed = config["seed"]
    return [f"{seed // PERIOD}/{seed % PERIOD}/{place}" for place in range(count)]


def _named(names: Tables) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
