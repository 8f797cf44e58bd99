"""Which waves run along a table? Fourier spectra of its columns and principal components.

Yamamoto & Matsuzaki (2023) find waves in a few bands in RoBERTa's columns, and none above 10
cycles per 512 positions in GPT-2's. Frequencies are counted in cycles per table: compare tables
of one length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array, Indices, as_rows, centred
from positions.errors import InvalidValueError

LOW = 10
COMPONENTS = 12


@dataclass(frozen=True)
class Spectrum:
    """The waves in a table's centred columns, by frequency 1 .. positions // 2.

    `frequencies` (frequencies,) in cycles per table. `mean`, `lower`, `median`, `upper`
    (frequencies,): mean and quartiles over columns of the amplitude, in units of the table: a
    column a * cos(...) of whole cycles has amplitude a. `energy` (frequencies,): the share of the
    table's variance, all columns together. `peaks`: the frequency of each column's largest
    amplitude, constant columns left out. `low_share`: the energy below 10 cycles. `entropy`: that
    of `energy` by its largest value: 0 = a single frequency, 1 = white noise.
    """

    frequencies: Indices
    mean: Array
    lower: Array
    median: Array
    upper: Array
    energy: Array
    peaks: Indices
    low_share: float
    entropy: float


@dataclass(frozen=True)
class ComponentSpectra:
    """The waves in the leading principal components.

    `frequencies` (frequencies,); `energy` (components, frequencies): by component the share of
    its variance at each frequency; `peaks` (components,): its strongest frequency; `explained`
    (components,): its share of the table's variance.
    """

    frequencies: Indices
    energy: Array
    peaks: Indices
    explained: Array


def spectrum(table: ArrayLike, low: float = LOW) -> Spectrum:
    """Return the spectrum of a table (positions, width); `low` bounds `low_share`.

    Raises `InvalidValueError` for a table of fewer than 4 rows or whose rows are all equal.
    """
    rows = _varying(table)
    power = _power(rows)
    amplitude = np.sqrt(2 * power / len(rows))
    if len(rows) % 2 == 0:  # the fastest wave of an even table is all cosine: twice its energy
        amplitude[-1] /= np.sqrt(2)
    lower, median, upper = np.quantile(amplitude, [0.25, 0.5, 0.75], axis=1)
    frequencies = np.arange(1, len(power) + 1)
    energy = power.sum(axis=1) / power.sum()
    waving = np.ptp(rows, axis=0) > _noise(rows)
    return Spectrum(
        frequencies=frequencies,
        mean=amplitude.mean(axis=1),
        lower=lower,
        median=median,
        upper=upper,
        energy=energy,
        peaks=frequencies[amplitude[:, waving].argmax(axis=0)],
        low_share=float(energy[frequencies < low].sum()),
        entropy=_entropy(energy),
    )


def component_spectra(table: ArrayLike, count: int = COMPONENTS) -> ComponentSpectra:
    """Return the periodograms of the first `count` principal components, or of all there are.

    Raises as `spectrum` does, and for a count below 1.
    """
    rows = centred(_varying(table))
    if count < 1:
        raise InvalidValueError(f"At least 1 component is needed, not {count}.")
    left, values, _ = np.linalg.svd(rows, full_matrices=False)
    kept = min(count, int((values > values[0] * max(rows.shape) * np.finfo(float).eps).sum()))
    power = _power(left[:, :kept] * values[:kept]).T
    frequencies = np.arange(1, power.shape[1] + 1)
    return ComponentSpectra(
        frequencies=frequencies,
        energy=power / power.sum(axis=1, keepdims=True),
        peaks=frequencies[power.argmax(axis=1)],
        explained=values[:kept] ** 2 / (values**2).sum(),
    )


def _power(rows: Array) -> Array:
    """Return the energy (frequencies, columns) of each wave; sums over it are sums of squares."""
    count = len(rows)
    power = 2 * np.abs(np.fft.rfft(centred(rows), axis=0)[1:]) ** 2 / count
    if count % 2 == 0:
        power[-1] /= 2
    return np.asarray(power)


def _entropy(energy: Array) -> float:
    """Return the entropy of shares that sum to 1, divided by that of equal shares."""
    p = energy[energy > 0]
    return float(-(p * np.log(p)).sum() / np.log(len(energy)))


def _varying(table: ArrayLike) -> Array:
    """Return the rows of a table that is not the same in all positions, else raise."""
    rows = as_rows(table, least=4)
    if not (np.ptp(rows, axis=0) > _noise(rows)).any():
        raise InvalidValueError("All rows of the table are equal: there is no wave to find.")
    return rows


def _noise(rows: Array) -> float:
    """Return the spread below which a column is constant up to rounding."""
    return float(1e-12 * np.abs(rows).max())
