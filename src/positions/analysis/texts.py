"""Two models on the same texts: whether one is right more often, and how length bears on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import expit

from positions.analysis.rows import Array
from positions.analysis.statistics import RESAMPLES, Interval
from positions.errors import InvalidValueError

FEWEST = 10
"""Texts of either kind below which no slope is fitted."""
STEPS = 50


@dataclass(frozen=True)
class Discordant:
    """Texts on which only one of two models is right, and a two-sided p-value."""

    first: int
    second: int
    p_value: float


@dataclass(frozen=True)
class Slope:
    """How the log odds that the first is right, and not the second, change with a covariate.

    `low` to `high` is the 95 % interval; `pairs` the number of pairs that it rests on, `texts` of
    how many texts. All are NaN where too few pairs tell.
    """

    value: float
    low: float
    high: float
    p_value: float
    pairs: int
    texts: int


def mcnemar(first: ArrayLike, second: ArrayLike) -> Discordant:
    """Test whether two models are right equally often on the same texts (McNemar 1947), exactly.

    `first`, `second` (texts,): right or not, or the share of several runs that were right, as many
    runs of either model; then a text counts for the model with the greater share. Raises
    `InvalidValueError` for lists of different lengths, or empty ones.
    """
    one, other = _pair(first, second)
    ahead, behind = int((one > other).sum()), int((one < other).sum())
    p = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
    return Discordant(ahead, behind, float(p))


def paired_bootstrap(first: ArrayLike, second: ArrayLike, seed: int = 0) -> Interval:
    """Return the mean of first - second over texts, with its 95 % bootstrap interval over texts.

    Arguments and errors as for `mcnemar`. The models are taken as they are: the interval says what
    other texts would give, not what other seeds would.
    """
    one, other = _pair(first, second)
    values, counts = np.unique(one - other, return_counts=True)
    total = int(counts.sum())
    mean = float(values @ counts) / total
    if total == 1:
        return Interval(mean, np.nan, np.nan, 1)
    # texts of the same difference are interchangeable, so that their number is all to be drawn
    draws = np.random.default_rng(seed).multinomial(total, counts / total, RESAMPLES)
    low, high = np.quantile(draws @ values / total, [0.025, 0.975])
    return Interval(mean, float(low), float(high), total)


def interaction(
    first: ArrayLike, second: ArrayLike, covariate: ArrayLike, texts: ArrayLike
) -> Slope:
    """Estimate how the lead of one model over another changes with a covariate of the texts.

    All (pairs,): whether either model was right, the covariate, such as the log of the length, and
    which text it was; a text that several seeds have read has several pairs. The model is
    logit P(right) = (text and seed) + model + model x covariate, with an intercept for every pair.
    Conditional on exactly one of the two being right these intercepts drop out (Chamberlain 1980),
    and what is left is the logistic regression, on those pairs, of which one it was. Errors are
    clustered by text. Raises `InvalidValueError` for lists of different lengths.
    """
    one, other = _pair(first, second)
    x, cluster = np.asarray(covariate, dtype=np.float64), np.asarray(texts)
    if not one.shape == x.shape == cluster.shape or not np.isfinite(x).all():
        raise InvalidValueError(
            f"An interaction needs one finite covariate and one text for each of the {len(one)} "
            f"pairs, not {x.shape} and {cluster.shape}."
        )
    tells = one != other
    won, x, cluster = one[tells] > other[tells], x[tells] - x.mean(), cluster[tells]
    groups = len(np.unique(cluster))
    if min(won.sum(), (~won).sum()) < FEWEST or np.ptp(x) == 0:
        return Slope(np.nan, np.nan, np.nan, np.nan, len(won), groups)
    design = np.column_stack([np.ones_like(x), x])
    try:
        weights = _logistic(design, won)
        spread = _clustered(design, won, weights, cluster)
    except np.linalg.LinAlgError:  # the covariate alone tells which model is right
        return Slope(np.nan, np.nan, np.nan, np.nan, len(won), groups)
    slope, error = float(weights[1]), float(np.sqrt(spread[1, 1]))
    far = float(stats.norm.ppf(0.975)) * error
    p = 2 * float(stats.norm.sf(abs(slope) / error))
    return Slope(slope, slope - far, slope + far, p, len(won), groups)


def _logistic(design: Array, won: Array) -> Array:
    """Fit logistic regression by Newton's method; `LinAlgError` where it has no finite maximum."""
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = expit(design @ weights)
        step = np.linalg.solve(_curvature(design, chance), design.T @ (won - chance))
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            return weights
    raise np.linalg.LinAlgError("no finite maximum")


def _clustered(design: Array, won: Array, weights: Array, cluster: Array) -> Array:
    """Return the covariance of the weights that allows for likeness within clusters."""
    chance = expit(design @ weights)
    _, group = np.unique(cluster, return_inverse=True)
    scores = np.zeros((group.max() + 1, design.shape[1]))
    np.add.at(scores, group, design * (won - chance)[:, None])
    bread = np.linalg.inv(_curvature(design, chance))
    few = len(scores) / (len(scores) - 1)
    found: Array = few * bread @ (scores.T @ scores) @ bread
    return found


def _curvature(design: Array, chance: Array) -> Array:
    found: Array = (design * (chance * (1 - chance))[:, None]).T @ design
    return found


def _pair(first: ArrayLike, second: ArrayLike) -> tuple[Array, Array]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape or not one.size:
        raise InvalidValueError(
            "A paired comparison needs one value of each model for every text, not "
            f"{one.shape} and {other.shape}."
        )
    return one, other
