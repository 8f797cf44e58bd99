"""What a measure reads on one table with one seed, and what a measure is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from positions.analysis.rows import Array

Values: TypeAlias = np.ndarray | Sequence[float] | Sequence[str]


@dataclass(frozen=True)
class Reading:
    """One seed's findings.

    `metrics`: numbers, summed up as mean and interval over seeds. `curves`: arrays summed up the
    same way, point by point. `averaged`: arrays of which only the mean is kept. `pooled`: (sums,
    counts), added up over seeds and divided. `shown`: axes, and what makes no sense as a mean; the
    first seed's is kept.
    """

    metrics: Mapping[str, float]
    curves: Mapping[str, Values] = field(default_factory=dict)
    averaged: Mapping[str, Values] = field(default_factory=dict)
    pooled: Mapping[str, tuple[Array, Array]] = field(default_factory=dict)
    shown: Mapping[str, Values] = field(default_factory=dict)


Probe: TypeAlias = Callable[[int], Reading]


@dataclass(frozen=True)
class Measure:
    """Something to measure on a table.

    `prepare` takes rows (positions, width) and does once what all seeds share; what it returns
    takes a seed. `title`: one line for readers. `unit`: of the main metrics, `by_seed`, whose
    values are kept for every seed. `seeded`: whether the seed matters on a fixed table.
    """

    name: str
    title: str
    unit: str
    prepare: Callable[[Array], Probe]
    by_seed: tuple[str, ...] = ()
    seeded: bool = True
