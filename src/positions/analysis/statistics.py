"""How sure we are: intervals over seeds, paired comparisons, several tests at once, ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from positions.analysis.rows import Array
from positions.errors import InvalidValueError

RESAMPLES = 2_000
PERMUTATIONS = 20_000


@dataclass(frozen=True)
class Interval:
    """A mean of `n` values between `low` and `high`; both are NaN for a single value."""

    mean: float
    low: float
    high: float
    n: int

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Difference:
    """The mean of `n` paired differences a - b, its interval, and a two-sided p-value."""

    mean: float
    low: float
    high: float
    n: int
    p_value: float


@dataclass(frozen=True)
class Agreement:
    """A rank correlation of `n` pairs, its interval, and a two-sided p-value."""

    value: float
    low: float
    high: float
    n: int
    p_value: float


def interval(values: ArrayLike, level: float = 0.95, seed: int = 0) -> Interval:
    """Return the mean of the values with a percentile bootstrap interval.

    `values` (runs,): one number a seed. One value gives a mean without an interval (NaN); equal
    values give an interval of no width. Raises `InvalidValueError` for none, for a value that
    is not finite, and for a level outside (0, 1).
    """
    sample = _sample(values)
    mean, low, high = intervals(sample[:, None], level, seed)
    return Interval(float(mean[0]), float(low[0]), float(high[0]), len(sample))


def intervals(values: ArrayLike, level: float = 0.95, seed: int = 0) -> tuple[Array, Array, Array]:
    """Return mean, low and high of every column of `values` (runs, points), as `interval` does.

    The same resamples of the runs serve all points, as a bootstrap of whole curves does.
    """
    sample = np.asarray(values, dtype=np.float64)
    _check_level(level)
    if sample.ndim != 2 or sample.shape[0] == 0 or not np.isfinite(sample).all():
        raise InvalidValueError(
            f"Intervals need finite values of the shape (runs, points), not {sample.shape}."
        )
    runs, mean = len(sample), sample.mean(axis=0)
    if runs == 1:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    # A resample is known by how often it holds each run, so all means are one product. Taken from
    # the mean, so that equal values give it back without rounding.
    counts = np.random.default_rng(seed).multinomial(runs, np.full(runs, 1 / runs), RESAMPLES)
    tail = (1 - level) / 2
    low, high = np.quantile(counts @ (sample - mean) / runs, [tail, 1 - tail], axis=0)
    return mean, mean + low, mean + high


def central_range(values: ArrayLike, level: float = 0.95) -> Interval:
    """Return the mean and the range that holds the central share of the values themselves.

    Where `interval` says how well the mean is known, this says where one more run would fall:
    a single published run is compared with this range.
    """
    sample = _sample(values)
    _check_level(level)
    if len(sample) == 1:
        return Interval(float(sample[0]), np.nan, np.nan, 1)
    tail = (1 - level) / 2
    low, high = np.quantile(sample, [tail, 1 - tail])
    return Interval(float(sample.mean()), float(low), float(high), len(sample))


def paired_difference(a: ArrayLike, b: ArrayLike, level: float = 0.95, seed: int = 0) -> Difference:
    """Return the mean of a - b over paired runs, with a bootstrap interval and a p-value.

    `a`, `b` (runs,): values of the same seeds in the same order. The p-value comes from flipping
    the signs of the differences: exact where all flips can be counted, else from 20,000 random
    ones. With n pairs it can't fall below 2 ** (1 - n): three seeds never give less than 0.25.
    Raises `InvalidValueError` where the lengths differ, for none, and for values not finite.
    """
    first, second = _sample(a), _sample(b)
    _check_level(level)
    if len(first) != len(second):
        raise InvalidValueError(
            f"A paired difference needs one value of each for every run, not {len(first)} and "
            f"{len(second)}."
        )
    gaps = first - second
    found = interval(gaps, level, seed)
    return Difference(found.mean, found.low, found.high, found.n, _sign_flip(gaps, seed))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for being several (Holm 1979), in the order given.

    Raises `InvalidValueError` for a value outside [0, 1].
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise InvalidValueError(f"P-values lie between 0 and 1, unlike {list(p_values)}.")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return [float(value) for value in corrected]


def rank_agreement(
    a: ArrayLike,
    b: ArrayLike,
    kind: Literal["kendall", "spearman"] = "kendall",
    level: float = 0.95,
    seed: int = 0,
) -> Agreement:
    """Return how well two lists agree in rank: Kendall's tau-b or Spearman's rho.

    `a`, `b` (items,): two scores of the same items. The interval is a percentile bootstrap over
    items; it is NaN below four items. Raises `InvalidValueError` for an unknown kind, lengths
    that differ or fall below two, values not finite, and a list that is constant.
    """
    measures = {"kendall": stats.kendalltau, "spearman": stats.spearmanr}
    if kind not in measures:
        raise InvalidValueError(f"Unknown rank agreement {kind!r}. Valid: kendall, spearman.")
    first, second = _sample(a), _sample(b)
    _check_level(level)
    if len(first) != len(second) or len(first) < 2:
        raise InvalidValueError(
            f"Rank agreement needs two lists of one length, at least 2, not {len(first)} and "
            f"{len(second)}."
        )
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        raise InvalidValueError("Rank agreement with a list whose values are all equal: undefined.")
    found = measures[kind](first, second)
    low, high = np.nan, np.nan
    if len(first) >= 4:
        low, high = _bootstrap_rank(first, second, measures[kind], level, seed)
    return Agreement(float(found.statistic), low, high, len(first), float(found.pvalue))


def _sign_flip(gaps: Array, seed: int) -> float:
    """Return the two-sided p-value of a mean of paired differences."""
    if len(gaps) == 1 or not gaps.any():
        return 1.0
    # With one sample, scipy's permutations of type "samples" are its sign flips.
    found = stats.permutation_test(
        (gaps,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=PERMUTATIONS,
        batch=2_000,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def _bootstrap_rank(
    first: Array, second: Array, measure: object, level: float, seed: int
) -> tuple[float, float]:
    """Return percentile bootstrap bounds of a rank correlation; constant resamples are left out."""
    rng = np.random.default_rng(seed)
    draws = []
    for _ in range(500):
        pick = rng.integers(len(first), size=len(first))
        if np.ptp(first[pick]) and np.ptp(second[pick]):
            draws.append(measure(first[pick], second[pick]).statistic)  # type: ignore[operator]
    tail = (1 - level) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    return float(low), float(high)


def _sample(values: ArrayLike) -> Array:
    """Return values as one finite float64 axis, else raise."""
    try:
        sample = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"Statistics need numbers: {error}.") from None
    if sample.ndim != 1 or sample.size == 0:
        raise InvalidValueError(
            f"Statistics need at least one value in one list, not the shape {sample.shape}."
        )
    if not np.isfinite(sample).all():
        count = int((~np.isfinite(sample)).sum())
        raise InvalidValueError(
            f"{count} of {sample.size} values are not finite. Leave failed runs out, and say so."
        )
    return sample


def _check_level(level: float) -> None:
    """Raise where a confidence level does not lie between 0 and 1."""
    if not 0 < level < 1:
        raise InvalidValueError(f"The level of an interval lies between 0 and 1, unlike {level}.")
