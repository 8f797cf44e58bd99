"""Distance: how far apart are two positions? Wang & Chen 2020 report only that it can't be read.

Three probes of rising power. Least squares on the concatenated or subtracted rows, as the paper
may have tried: it can only express f(i) + g(j), and |i - j| is not of that form whatever the
table (`additive_floor`). A bilinear form of the two rows. The squared length of a projection of
their difference (Hewitt & Manning 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy import linalg

from positions.analysis.probes.absolute import spearman
from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.probes.pairs import by_band, draw, grid, inside
from positions.analysis.probes.splits import FOLDS, shuffled_folds
from positions.analysis.rows import Array, Indices, as_rows, centred
from positions.errors import InvalidValueError

PAIRS = 512
NEAR = 32
RANKS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
PENALTIES = tuple(10.0**power for power in range(-10, 3))

Features = Literal["concatenation", "difference"]


@dataclass(frozen=True)
class DistanceReading:
    """What a probe makes of the distances of test pairs, in positions.

    `mae`: mean |prediction - distance|; `guess`: the same for guessing the training pairs' mean;
    `spearman`: rank correlation of prediction and distance (NaN where undefined). `band_error`
    and `band_count` (bands,): summed error and pairs in each of `pairs.BANDS`.
    """

    mae: float
    guess: float
    spearman: float
    band_error: Array
    band_count: Array


def linear(
    table: ArrayLike,
    seed: int,
    features: Features = "concatenation",
    *,
    signed: bool = False,
    disjoint: bool = True,
    near: int | None = None,
    count: int = PAIRS,
) -> DistanceReading:
    """Predict the distance of two positions by least squares on their two rows.

    `table` (rows, width). `features`: rows concatenated, or second minus first. `signed`: predict
    j - i instead of |i - j|. `disjoint`: no position in both train and test, else five folds over
    pairs that share positions. `near`: only pairs at most that far apart. `count`: pairs drawn.
    """
    rows = as_rows(table, least=2 * FOLDS)
    rng = np.random.default_rng([seed, 2])
    if disjoint:
        splits = inside(shuffled_folds(len(rows), seed), count, rng, near)
    else:
        pairs = draw(len(rows), count, rng, near)
        folds = np.array_split(np.arange(count), FOLDS)
        splits = [(np.delete(pairs, fold, axis=0), pairs[fold]) for fold in folds]
    readings = []
    for train, test in splits:
        both = np.concatenate([train, test])
        wanted = (both[:, 1] - both[:, 0]).astype(np.float64)
        wanted = wanted if signed else np.abs(wanted)
        order = np.arange(len(both))
        fit = LeastSquares(_features(rows, both, features))
        predicted = fit.predict(order[: len(train)], order[len(train) :], wanted)
        readings.append((predicted, wanted[len(train) :], wanted[: len(train)].mean(), test))
    predicted, target = (np.concatenate([reading[part] for reading in readings]) for part in (0, 1))
    guess = np.concatenate([np.abs(reading[1] - reading[2]) for reading in readings])
    return _reading(predicted, target, guess, np.concatenate([part[3] for part in readings]))


def additive_floor(positions: int) -> float:
    """Return the error of the best f(i) + g(j) for |i - j|, over all pairs of positions.

    No linear probe on concatenated rows can do better in squares, even with a column of its own
    for each position.
    """
    gaps = np.abs(np.subtract.outer(np.arange(positions), np.arange(positions))).astype(np.float64)
    means = gaps.mean(axis=1)
    return float(np.abs(gaps - means - means[:, None] + gaps.mean()).mean())


def bilinear(
    table: ArrayLike, seed: int, penalties: Sequence[float] = PENALTIES
) -> DistanceReading:
    """Predict |i - j| as row_i M row_j, by ridge regression on all pairs of the training rows.

    Positions are split 70/10/20 into train, validation and test; the penalty that does best on
    validation pairs is kept. The rows are centred, scaled to mean squared length 1, and given a
    constant column, so that linear terms and an offset are included.
    """
    rows = _scaled(as_rows(table, least=20))
    rows = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    train, validation, test = _positions(len(rows), seed)
    left, values, right = linalg.svd(rows[train], full_matrices=False)
    kept = values > 1e-12 * values[0]
    left, values = left[:, kept], values[kept]
    axes = rows @ right[kept].T
    inner = left.T @ _gaps(train, train) @ left
    strengths = np.multiply.outer(values, values)
    forms = [inner * strengths / (strengths**2 + penalty) for penalty in penalties]
    best = min(
        forms,
        key=lambda form: np.abs(
            axes[validation] @ form @ axes[validation].T - _gaps(validation, validation)
        ).mean(),
    )
    return _grid_reading(axes[test] @ best @ axes[test].T, test, train)


def projection(
    table: ArrayLike, seed: int, rank: int, *, steps: int = 600, rate: float = 0.02
) -> DistanceReading:
    """Predict |i - j| as the squared length of a projection of row_i - row_j to `rank` axes.

    Hewitt & Manning 2019's distance probe. Positions are split 70/10/20; all training pairs in
    every step, mean absolute error, Adam with a falling rate; the projection that does best on
    validation pairs is kept. Raises `InvalidValueError` for a rank below 1.
    """
    if rank < 1:
        raise InvalidValueError(f"A projection has at least 1 axis, not {rank}.")
    rows = as_rows(table, least=20)
    train, validation, test = _positions(len(rows), seed)
    scores = torch.from_numpy(_scaled(LeastSquares(rows).scores)).float()
    generator = torch.Generator().manual_seed(seed)
    axes = torch.randn(scores.shape[1], rank, generator=generator) / rank**0.5
    axes.requires_grad_()
    optimiser = torch.optim.Adam([axes], lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    # In units of the number of positions, so that predictions start near the targets.
    unit = float(len(rows))
    wanted = torch.from_numpy(_gaps(train, train) / unit).float()
    checked = torch.from_numpy(_gaps(validation, validation) / unit).float()
    best, kept = float("inf"), axes.detach().clone()
    for step in range(steps):
        loss = (_squared_lengths(scores[train] @ axes) - wanted).abs().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 10 == 9:
            with torch.no_grad():
                found = (_squared_lengths(scores[validation] @ axes) - checked).abs().mean().item()
            if found < best:
                best, kept = found, axes.detach().clone()
    predicted = _squared_lengths(scores[test] @ kept).numpy().astype(np.float64) * unit
    return _grid_reading(predicted, test, train)


def _squared_lengths(points: torch.Tensor) -> torch.Tensor:
    """Return the squared distances (points, points)."""
    squares = points.square().sum(dim=1)
    return squares[:, None] + squares - 2 * points @ points.T


def _features(rows: Array, pairs: Indices, features: Features) -> Array:
    """Return the features (pairs, width or 2 * width)."""
    first, second = rows[pairs[:, 0]], rows[pairs[:, 1]]
    return second - first if features == "difference" else np.concatenate([first, second], axis=1)


def _scaled(rows: Array) -> Array:
    """Return centred rows of mean squared length 1."""
    moved = centred(rows)
    size = np.sqrt(np.square(moved).sum(axis=1).mean())
    if size == 0:
        raise InvalidValueError("All rows of the table are equal: there is nothing to project.")
    return np.asarray(moved / size)


def _positions(count: int, seed: int) -> list[Indices]:
    """Return train, validation and test positions, 70/10/20."""
    order = np.random.default_rng([seed, 3]).permutation(count)
    return np.split(order, [round(0.7 * count), round(0.8 * count)])


def _gaps(first: Indices, second: Indices) -> Array:
    return np.abs(np.subtract.outer(first, second)).astype(np.float64)


def _grid_reading(predicted: Array, test: Indices, train: Indices) -> DistanceReading:
    """Read predictions (test, test) for all pairs of the test positions."""
    wanted = _gaps(test, test)
    guess = np.abs(wanted - _gaps(train, train).mean())
    return _reading(predicted.ravel(), wanted.ravel(), guess.ravel(), grid(test))


def _reading(predicted: Array, wanted: Array, guess: Array, pairs: Indices) -> DistanceReading:
    error = np.abs(predicted - wanted)
    sums, counts = by_band(error, pairs)
    return DistanceReading(
        float(error.mean()), float(guess.mean()), spearman(predicted, wanted), sums, counts
    )
