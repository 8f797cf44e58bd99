"""Frequencies: the columns of a table as signals over position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from positions.analysis.rows import Array, as_rows, centred
from positions.errors import InvalidValueError

LOW = 10
COMPONENTS = 4


@dataclass(frozen=True)
class Frequencies:
    """Spectra of a table's centred columns; frequencies are cycles over the whole table.

    Axis: frequencies 1 .. positions // 2. `mean`, `lower`, `upper`: mean and quartiles over
    columns of the amplitude |DFT|. `power`: each frequency's share of the energy of all columns.
    `low_share`: the share below 10 cycles. `entropy`: spectral entropy of `power`, 0 for one
    frequency, 1 for equal energy in all. `peaks`: the strongest frequency of each column
    (columns,). `components` (components, frequencies): shares of energy within each of the
    leading principal components.
    """

    frequency: Array
    mean: Array
    lower: Array
    upper: Array
    power: Array
    low_share: float
    entropy: float
    peaks: Array
    components: Array


def frequencies(table: ArrayLike) -> Frequencies:
    """Return the spectra of a table (positions, width).

    Compare tables of one length only. Raises `InvalidValueError` for fewer than 4 rows, or where
    all rows are equal.
    """
    rows = centred(as_rows(table, least=4))
    if not rows.any():
        raise InvalidValueError("All rows of the table are equal: no column has a frequency.")
    amplitude = np.abs(np.fft.rfft(rows, axis=0))[1:]
    frequency = np.arange(1.0, len(amplitude) + 1)
    energy = _energy(amplitude, len(rows))
    power = energy.sum(axis=1) / energy.sum()
    lower, upper = np.quantile(amplitude, [0.25, 0.75], axis=1)
    left, values, _ = linalg.svd(rows, full_matrices=False)
    scores = left[:, :COMPONENTS] * values[:COMPONENTS]
    scores = scores[:, values[:COMPONENTS] > 1e-12 * values[0]]
    parts = _energy(np.abs(np.fft.rfft(scores, axis=0))[1:], len(rows))
    found = power[power > 0]
    return Frequencies(
        frequency,
        amplitude.mean(axis=1),
        lower,
        upper,
        power,
        float(power[frequency < LOW].sum()),
        float(-(found * np.log(found)).sum() / np.log(len(power))),
        frequency[amplitude.argmax(axis=0)],
        (parts / parts.sum(axis=0)).T,
    )


def _energy(amplitude: Array, length: int) -> Array:
    """Return squared amplitudes; all but the highest of an even length stand for two."""
    energy = 2 * amplitude**2
    if length % 2 == 0:
        energy[-1] /= 2
    return energy
