"""Which functions of distance a head can add to its logits: those that separate.

q · k is a sum of products of something about the query and something about the key. So is a
function f(t - i) of their distance, with few terms or with many: a line needs 2, a wave needs 2,
and in general a head needs about as many entries as there are positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array
from positions.checks import check_whole
from positions.errors import InvalidValueError

NOTHING = 1e-9
"""Waves below this are rounding."""


@dataclass(frozen=True)
class Separable:
    """A function of distance as a sum of products, for positions 1 to N.

    f(t - i) = sum over terms of (query · φ(t)) (key · φ(i)), where φ(t) = (1, t, extra(t)). `query`
    and `key` are (terms, 2 + functions), `extra` (functions, N): what a decoder has to keep beside
    the position.
    """

    query: Array
    key: Array
    extra: Array

    @property
    def terms(self) -> int:
        """How many entries of a head it takes."""
        return len(self.query)

    @property
    def longest(self) -> int:
        """N."""
        return self.extra.shape[1]

    def matrix(self) -> Array:
        """Return f(t - i) for every query t and key i, (N, N), in float64."""
        t = np.arange(1.0, self.longest + 1)
        features = np.vstack([np.ones_like(t), t, self.extra])
        return np.asarray((self.query @ features).T @ (self.key @ features))

    def times(self, factor: float) -> Separable:
        """Return a multiple of the function."""
        return Separable(self.query * factor, self.key, self.extra)


def line(longest: int) -> Separable:
    """Return f(n) = -n, which is ALiBi's at slope 1: theorem 2's i - t, in two terms."""
    check_whole("longest", longest, minimum=1)
    return Separable(
        query=np.array([[1.0, 0.0], [0.0, -1.0]]),
        key=np.array([[0.0, 1.0], [1.0, 0.0]]),
        extra=np.zeros((0, longest)),
    )


def waves(longest: int, frequencies: ArrayLike, cosines: ArrayLike, sines: ArrayLike) -> Separable:
    """Return f(n) = sum over r of a_r cos(ω_r n) + b_r sin(ω_r n), two terms and functions each.

    `frequencies` ω (waves,), in radians a token; `cosines` a and `sines` b (waves,). By the
    addition theorems a cos ω(t - i) + b sin ω(t - i) is
    (a cos ωt + b sin ωt) cos ωi + (a sin ωt - b cos ωt) sin ωi. Where the sine is 0 at every
    position, as for ω = 0 and ω = π, one term is left.
    Raises `InvalidValueError` where the three differ in length.
    """
    check_whole("longest", longest, minimum=1)
    w, a, b = (
        np.asarray(given, dtype=np.float64).ravel() for given in (frequencies, cosines, sines)
    )
    if not len(w) == len(a) == len(b):
        raise InvalidValueError(
            f"There are {len(w)} frequencies, {len(a)} cosines and {len(b)} sines; give as many "
            "of each."
        )
    angles = np.outer(w, np.arange(1, longest + 1))
    count = len(w)
    query, key = np.zeros((2, 2 * count, 2 + 2 * count))
    r = np.arange(count)
    cosine, sine = 2 + r, 2 + count + r
    query[r, cosine], query[r, sine] = a, b
    query[count + r, cosine], query[count + r, sine] = -b, a
    key[r, cosine] = key[count + r, sine] = 1
    extra = np.vstack([np.cos(angles), np.sin(angles)])
    kept = np.flatnonzero(np.abs(extra).max(axis=1) > NOTHING)
    columns = [0, 1, *(2 + kept)]
    return Separable(query[kept][:, columns], key[kept][:, columns], extra[kept])


def by_waves(values: ArrayLike, terms: int, period: int) -> Separable:
    """Return the sum of the slowest waves that comes closest to a function of distance.

    `values` (N,): f at distances 0 to N - 1. `terms`: at most so many entries of a head; a constant
    takes one and each wave two, but one for that of two tokens. Waves of 1, 2, 3, ... cycles in
    `period` tokens, fitted by least squares, all distances alike. Raises `InvalidValueError` for
    no value, no term, or a period shorter than the values.
    """
    wanted = _values(values)
    check_whole("terms", terms, minimum=1)
    check_whole("period", period, minimum=len(wanted))
    n = np.arange(len(wanted))
    fastest = period // 2 if terms >= period else (terms - 1) // 2
    cycles = np.arange(fastest + 1)
    angles = np.outer(n, 2 * np.pi * cycles / period)
    columns = np.hstack([np.cos(angles), np.sin(angles)])
    weights = np.linalg.lstsq(columns, wanted, rcond=None)[0]
    a, b = np.split(weights, 2)
    return waves(len(wanted), 2 * np.pi * cycles / period, a, b)


def rmse(function: Separable, values: ArrayLike) -> float:
    """Return the root mean square error against `values` (N,), all distances alike."""
    wanted = _values(values)
    # the first column holds the distances t - 1, all of which occur
    return float(np.sqrt(np.mean((function.matrix()[:, 0] - wanted) ** 2)))


def least_rmse(values: ArrayLike, terms: int) -> float:
    """Return an error that no sum of `terms` products can be below, whatever it is made of.

    Queries in the second half of N positions see every key in the first half: a square of N/2,
    which the product has to fill. Eckart & Young (1936): the best sum of so many products is the
    cut singular value decomposition. The error is the root mean square over that square.
    `values` (N,): f at distances 0 to N - 1; N is at least 2.
    """
    wanted = _values(values, least=2)
    check_whole("terms", terms, minimum=0)
    size = len(wanted) // 2
    t, i = np.meshgrid(np.arange(size, 2 * size), np.arange(size), indexing="ij")
    left_over = np.linalg.svd(wanted[t - i], compute_uv=False)[terms:]
    return float(np.sqrt((left_over**2).sum()) / size)


def _values(values: ArrayLike, least: int = 1) -> Array:
    wanted = np.asarray(values, dtype=np.float64)
    if wanted.ndim != 1 or len(wanted) < least or not np.isfinite(wanted).all():
        raise InvalidValueError(
            f"The values have shape {wanted.shape}; they must be finite numbers, one for each of "
            f"at least {least} distances."
        )
    return wanted
