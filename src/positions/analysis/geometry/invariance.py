"""Does a table know offsets? Translation invariance and monotonicity of a proximity map.

A proximity phi(x, y) says how near two positions are: the cosine or the inner product of their
rows, or attention between them. Wang B. et al. (ICLR 2021), "On Position Embeddings in BERT",
name three properties. Translation invariance: phi(x, x+m) does not depend on x. Monotonicity:
phi(x, x+m) falls as m grows. Symmetry: phi(x, y) = phi(y, x), which says nothing here: cosines
and inner products of one table are symmetric whatever the table holds. It takes two projections,
as in attention, for symmetry to be a finding.

The diagonal, m = 0, is left out: a row is most like itself in any table. With it, the cosines of
Gaussian noise would count as 60 % translation invariant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.geometry.cosine import cosine_map
from positions.analysis.rows import Array, Indices, as_rows, centred
from positions.errors import InvalidValueError, unknown_name

REACH = 20
# Values of a map that differ by less than this share of its largest are equal up to rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class OffsetProfile:
    """A map seen along its diagonals, each array (offsets,).

    `offsets` run from -(n-1) to n-1 without 0; `mean` and `deviation` are those of phi(x, x+m)
    over x, and `count` is the number of such x, n - |m|.
    """

    offsets: Indices
    mean: Array
    deviation: Array
    count: Indices


@dataclass(frozen=True)
class Invariance:
    """How far a proximity map depends on the offset alone, and falls with it.

    `translation_error`: 0 = invariant. `toeplitz_r2`: 1 = invariant, 0 = the offset says nothing.
    The four monotonicities are mean Kendall taus, 1 = always falling: `local` over the next 20
    positions, `global` over all, looking forward (x+m) and backward (x-m). The first two are NaN
    for a map that is constant off its diagonal, such as that of one-hot rows.
    """

    translation_error: float
    toeplitz_r2: float
    local_forward: float
    local_backward: float
    global_forward: float
    global_backward: float


def inner_product_map(table: ArrayLike, centre: bool = False) -> Array:
    """Return the inner product of every pair of rows (positions, positions) of a table."""
    rows = as_rows(table)
    if centre:
        rows = centred(rows)
    return np.asarray(rows @ rows.T)


PROXIMITIES: dict[str, Callable[[ArrayLike, bool], Array]] = {
    "cosine": cosine_map,
    "inner product": inner_product_map,
}


def table_invariance(
    table: ArrayLike, proximity: str = "cosine", centre: bool = False
) -> Invariance:
    """Measure a table (positions, width) by the cosines or inner products of its rows.

    With `centre` the mean row is subtracted first. Raises `UnknownNameError` for an unknown
    proximity, else as `cosine_map` and `map_invariance` do.
    """
    if proximity not in PROXIMITIES:
        raise unknown_name("proximity", proximity, PROXIMITIES)
    return map_invariance(PROXIMITIES[proximity](table, centre))


def map_invariance(square: ArrayLike) -> Invariance:
    """Measure a proximity map (positions, positions), which need not be symmetric.

    Raises `InvalidValueError` where it is not square or has fewer than 22 rows: monotonicity
    looks 20 positions ahead.
    """
    phi = _square(square, least=REACH + 2)
    return Invariance(
        translation_error=translation_error(phi),
        toeplitz_r2=toeplitz_r2(phi),
        local_forward=monotonicity(phi),
        local_backward=monotonicity(phi[::-1, ::-1]),
        global_forward=monotonicity(phi, reach=None),
        global_backward=monotonicity(phi[::-1, ::-1], reach=None),
    )


def offset_profile(square: ArrayLike) -> OffsetProfile:
    """Return mean and standard deviation of a map along each diagonal but the main one."""
    phi = _square(square)
    count = len(phi)
    offsets = np.delete(np.arange(1 - count, count), count - 1)
    diagonals = [np.diagonal(phi, int(offset)) for offset in offsets]
    return OffsetProfile(
        offsets=offsets,
        mean=np.array([diagonal.mean() for diagonal in diagonals]),
        deviation=np.array([diagonal.std() for diagonal in diagonals]),
        count=count - np.abs(offsets),
    )


def translation_error(square: ArrayLike) -> float:
    """Return the s.d. over x of phi(x, x+m), by the s.d. of all phi, averaged over offsets m.

    Offsets weigh n - |m|, the number of their x; m = 0 is left out throughout. NaN for a map that
    is constant off its diagonal.
    """
    phi = _square(square)
    spread = _spread(phi)
    profile = offset_profile(phi)
    return float(np.average(profile.deviation, weights=profile.count) / spread)


def toeplitz_r2(square: ArrayLike) -> float:
    """Return the share of a map's variance that the offset alone explains.

    1 - sum (phi - mean of its diagonal)^2 / sum (phi - mean of all)^2: how well the nearest
    Toeplitz matrix fits, in the spirit of Wennberg & Henter (ACL 2021). The main diagonal is left
    out. Noise scores about 2 / positions, as every diagonal has a mean of its own. NaN for a map
    that is constant off its diagonal.
    """
    phi = _square(square)
    spread = _spread(phi)
    profile = offset_profile(phi)
    return float(1 - np.average(profile.deviation**2, weights=profile.count) / spread**2)


def monotonicity(square: ArrayLike, reach: int | None = REACH) -> float:
    """Return the mean over x of Kendall's tau between -m and phi(x, x+m), m = 1 .. `reach`.

    This is tau-a: of all pairs of offsets, the share in the right order minus the share in the
    wrong one; equal values count for neither. Without `reach` all offsets to the end of the
    table count. Only x with 20 (or `reach`) positions after them take part. Turn a map around,
    `square[::-1, ::-1]`, to look backward.
    """
    phi = _square(square, least=(reach or REACH) + 1)
    phi = np.round(phi / (float(np.abs(phi).max()) or 1.0), 12)
    taus = []
    for x in range(len(phi) - (reach or REACH)):
        ahead = phi[x, x + 1 : None if reach is None else x + 1 + reach]
        falls = np.sign(ahead[:, None] - ahead[None, :])
        pairs = len(ahead) * (len(ahead) - 1) / 2
        taus.append(np.triu(falls, k=1).sum() / pairs)
    return float(np.mean(taus))


def _spread(phi: Array) -> float:
    """Return the s.d. of a map off its diagonal, NaN where that is rounding only."""
    values = phi[~np.eye(len(phi), dtype=bool)]
    if np.ptp(values) <= ROUNDING * np.abs(phi).max():
        return float("nan")
    return float(values.std())


def _square(square: ArrayLike, least: int = 2) -> Array:
    """Return a square float64 map, else raise."""
    phi = as_rows(square, least=least)
    if phi.shape[0] != phi.shape[1]:
        raise InvalidValueError(
            f"A proximity map is square (positions, positions), not of the shape {phi.shape}."
        )
    return phi
