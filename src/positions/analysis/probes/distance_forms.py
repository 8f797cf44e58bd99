"""Distance by quadratic forms of two rows: probes that can express |i - j|.

A bilinear form row_i M row_j, and the squared length of a projection of row_i - row_j (Hewitt &
Manning 2019). Both train on all pairs of 70 % of the positions, choose on 10 %, test on 20 %.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy import linalg

from positions.analysis.probes.distance import DistanceReading, reading
from positions.analysis.probes.pairs import grid
from positions.analysis.rows import Array, Indices, as_rows, centred
from positions.errors import InvalidValueError

RANKS = (2, 8, 32, 128, 512)
PENALTIES = tuple(10.0**power for power in range(-10, 3))
STEPS = 300
RATE = 0.01
# Small enough to start as the guess of the mean distance, which the offset makes.
START = 0.01


def bilinear(
    table: ArrayLike, seed: int, penalties: Sequence[float] = PENALTIES
) -> DistanceReading:
    """Predict |i - j| as row_i M row_j, by ridge regression on all training pairs.

    The rows are centred, scaled to mean squared length 1, and given a constant column, so that
    linear terms and an offset are included. The penalty that does best on validation is kept.
    """
    rows = _scaled(as_rows(table, least=20))
    rows = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    train, validation, test = split_positions(len(rows), seed)
    left, values, right = linalg.svd(rows[train], full_matrices=False)
    kept = values > 1e-12 * values[0]
    left, values = left[:, kept], values[kept]
    axes = rows @ right[kept].T
    inner = left.T @ _gaps(train) @ left
    strengths = np.multiply.outer(values, values)
    forms = [inner * strengths / (strengths**2 + penalty) for penalty in penalties]

    def error(form: Array) -> float:
        predicted = axes[validation] @ form @ axes[validation].T
        return float(np.abs(predicted - _gaps(validation)).mean())

    best = min(forms, key=error)
    return _read(axes[test] @ best @ axes[test].T, test, train)


def projection(table: ArrayLike, seed: int, rank: int) -> DistanceReading:
    """Predict |i - j| as the squared length of a projection of row_i - row_j, plus an offset.

    The projection has `rank` axes. Mean absolute error over all training pairs in every step,
    Adam with a falling rate. It starts as the guess of the mean distance, and the step that does
    best on validation is kept: a table that tells nothing keeps the guess. Raises
    `InvalidValueError` for a rank below 1.
    """
    if rank < 1:
        raise InvalidValueError(f"A projection has at least 1 axis, not {rank}.")
    rows = _scaled(as_rows(table, least=20))
    parts = split_positions(len(rows), seed)
    # Distances in units of the number of positions, so that one rate suits every table.
    unit = float(len(rows))
    train, validation, test = (torch.from_numpy(rows[part]).float() for part in parts)
    wanted, checked = (torch.from_numpy(_gaps(part) / unit).float() for part in parts[:2])
    generator = torch.Generator().manual_seed(seed)
    axes = START * torch.randn(rows.shape[1], rank, generator=generator) / rank**0.5
    offset = wanted.mean()
    weights = [axes.requires_grad_(), offset.requires_grad_()]
    optimiser = torch.optim.Adam(weights, lr=RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    best = float("inf")
    for step in range(STEPS):
        if step % 5 == 0:
            with torch.no_grad():
                found = float((_form(validation, axes, offset) - checked).abs().mean())
            if found < best:
                best, kept = found, [weight.detach().clone() for weight in weights]
        optimiser.zero_grad()
        (_form(train, axes, offset) - wanted).abs().mean().backward()
        optimiser.step()
        schedule.step()
    predicted = _form(test, *kept).numpy().astype(np.float64) * unit
    return _read(predicted, parts[2], parts[0])


def split_positions(count: int, seed: int) -> list[Indices]:
    """Return train, validation and test positions, 70/10/20."""
    order = np.random.default_rng([seed, 3]).permutation(count)
    return np.split(order, [round(0.7 * count), round(0.8 * count)])


def _form(rows: torch.Tensor, axes: torch.Tensor, offset: torch.Tensor) -> torch.Tensor:
    """Return squared distances of the projected rows (rows, rows), plus the offset."""
    points = rows @ axes
    squares = points.square().sum(dim=1)
    return squares[:, None] + squares - 2 * points @ points.T + offset


def _scaled(rows: Array) -> Array:
    """Return centred rows of mean squared length 1."""
    moved = centred(rows)
    size = np.sqrt(np.square(moved).sum(axis=1).mean())
    if size == 0:
        raise InvalidValueError("All rows of the table are equal: there is nothing to project.")
    return np.asarray(moved / size)


def _gaps(positions: Indices) -> Array:
    """Return |i - j| of all pairs (positions, positions)."""
    return np.abs(np.subtract.outer(positions, positions)).astype(np.float64)


def _read(predicted: Array, test: Indices, train: Indices) -> DistanceReading:
    """Read predictions (test, test) for all pairs of the test positions."""
    guess = np.full(predicted.size, _gaps(train).mean())
    return reading(predicted.ravel(), _gaps(test).ravel(), guess, grid(test))
