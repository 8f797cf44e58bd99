"""How many directions does a table use? Shares and ranks from its singular values.

Wang & Chen 2020 ask how informative a table is; the share of its largest singular values is the
measure that later code drew from it. Everything is computed in float64.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array, as_rows, centred
from positions.errors import InvalidValueError

LEVELS = (0.5, 0.9, 0.99)


@dataclass(frozen=True)
class Informativeness:
    """The singular values of a table and what they say of its rank.

    `singular_values` (values,), largest first. `share` (values,): c(k), the sum of the k largest
    over the sum of all; `energy_share` the same of their squares. `components` and
    `energy_components`: by level (0.5, 0.9, 0.99) the smallest k whose share reaches it.
    `effective_rank` exp(entropy of the shares), `participation_ratio` (sum s^2)^2 / sum s^4,
    `stable_rank` sum s^2 / s_1^2. `numerical_rank`: values above `tolerance`, which stands in
    units of the table.
    """

    singular_values: Array
    share: Array
    energy_share: Array
    components: dict[float, int]
    energy_components: dict[float, int]
    effective_rank: float
    participation_ratio: float
    stable_rank: float
    numerical_rank: int
    tolerance: float


def informativeness(table: ArrayLike, centre: bool = False) -> Informativeness:
    """Read the ranks of a table (positions, width); with `centre`, less its mean row.

    The tolerance of the numerical rank is s_1 * max(positions, width) * eps, with the eps of the
    precision in which the table is given: 1.2e-7 for float32 rows, 2.2e-16 for float64. It
    matters: the sinusoid of 512 x 768 has rank 145 in float32 and 156 in float64, while its
    float32 rows by float64's tolerance have 512, as rounding errors then count as directions.
    Raises `InvalidValueError` for a table that is all zero, or constant over positions where
    `centre`.
    """
    rows = as_rows(table)
    scale = float(np.abs(rows).max())
    if centre:
        rows = centred(rows)
    values = np.asarray(np.linalg.svd(rows, compute_uv=False), dtype=np.float64)
    tolerance = float(values[0] * max(rows.shape) * _epsilon(table))
    if values[0] <= scale * max(rows.shape) * np.finfo(np.float64).eps:
        raise InvalidValueError(
            "The table has no direction: its rows are all zero"
            + (" or all equal." if centre else ".")
        )
    share = np.cumsum(values) / values.sum()
    energy = values**2
    energy_share = np.cumsum(energy) / energy.sum()
    return Informativeness(
        singular_values=values,
        share=share,
        energy_share=energy_share,
        components=_reached(share),
        energy_components=_reached(energy_share),
        effective_rank=_effective_rank(values),
        participation_ratio=float(energy.sum() ** 2 / (energy**2).sum()),
        stable_rank=float(energy.sum() / energy[0]),
        numerical_rank=int((values > tolerance).sum()),
        tolerance=tolerance,
    )


def _reached(share: Array) -> dict[float, int]:
    """Return by level the smallest number of components whose share reaches it."""
    return {level: int(np.argmax(share >= level)) + 1 for level in LEVELS}


def _effective_rank(values: Array) -> float:
    """Return exp(-sum p ln p) of p = values over their sum (Roy & Vetterli 2007)."""
    p = values[values > 0] / values.sum()
    return float(np.exp(-(p * np.log(p)).sum()))


def _epsilon(table: ArrayLike) -> float:
    """Return the rounding unit of the precision in which a table is given."""
    dtype = np.asarray(table).dtype
    single = np.issubdtype(dtype, np.floating) and dtype.itemsize <= 4
    return float(np.finfo(dtype if single else np.float64).eps)
