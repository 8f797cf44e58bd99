"""What the recorded runs say, as tidy tables: one row a run, or one row a run and part of test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from positions.analysis.bleu import Counts, bleu
from positions.experiments._recorded import R, Recorded, no_two_alike
from positions.experiments.translation.run import COLUMNS, SCORES

IDENTITY = ["corpus", "preparation", "encoder", "decoder", "frozen", "smoothing", "seed"]
CUTS = (15, 20)
"""A sentence is long if its source has more words than that."""
DEVIATIONS = 2
"""Another cut, that of the paper as far as it is known: so many deviations above the mean."""


def runs(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return `IDENTITY` and `SCORES`: one row a run that did not diverge.

    Raises `InvalidValueError` where two runs share `IDENTITY`.
    """
    rows = [
        {**_identity(each.config), **{name: _number(each.metrics.get(name)) for name in SCORES}}
        for each in usable(records)
    ]
    return pd.DataFrame(rows, columns=[*IDENTITY, *SCORES])


def usable(records: Iterable[R]) -> list[R]:
    """Return the runs that did not diverge, none twice."""
    return [
        each for each in no_two_alike(records, _identity) if each.metrics.get("bleu") is not None
    ]


def counts_of(record: Recorded) -> Counts:
    """Return the counts of each test sentence of a run, (sentences, 6)."""
    return np.array([record.series[name] for name in COLUMNS], dtype=np.int64).T


def lengths_of(record: Recorded) -> NDArray[np.int64]:
    """Return how many words each source of the test has, (sentences,)."""
    return np.array(record.series["source_length"], dtype=np.int64)


def parts(lengths: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """Return which sentences belong to each part of the test, by a reader's name of it.

    The whole, four parts by length of about the same size, and those above each cut.
    """
    found = {"all": np.ones(len(lengths), dtype=bool)}
    edges = [0, *np.quantile(lengths, [0.25, 0.5, 0.75]).round().astype(int), int(lengths.max())]
    for low, high in pairwise(edges):
        if low < high:
            found[f"{low + 1} to {high}"] = (lengths > low) & (lengths <= high)
    deviations = float(lengths.mean() + DEVIATIONS * lengths.std())
    for cut in dict.fromkeys([*CUTS, math.floor(deviations)]):
        found[f"over {cut}"] = lengths > cut
    return {name: mask for name, mask in found.items() if mask.any()}


def long_ones(lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which sentences are long: `DEVIATIONS` standard deviations above the mean."""
    long: NDArray[np.bool_] = lengths > lengths.mean() + DEVIATIONS * lengths.std()
    return long


def by_length(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return `IDENTITY`, part, sentences, bleu: one row a run and part of the test."""
    rows = []
    for record in usable(records):
        found = counts_of(record)
        for name, chosen in parts(lengths_of(record)).items():
            rows.append(
                {
                    **_identity(record.config),
                    "part": name,
                    "sentences": int(chosen.sum()),
                    "bleu": bleu(found[chosen]),
                }
            )
    return pd.DataFrame(rows, columns=[*IDENTITY, "part", "sentences", "bleu"])


def _identity(config: Mapping[str, Any]) -> dict[str, Any]:
    return {name: config[name] for name in IDENTITY}


def _number(value: float | None) -> float:
    return math.nan if value is None else value
