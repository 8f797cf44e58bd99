"""Measures of absolute position."""

from __future__ import annotations

import numpy as np

from positions.analysis.probes import absolute, identification
from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.probes.splits import RARELY_TRAINED
from positions.analysis.rows import Array
from positions.experiments.probing.reading import Measure, Probe, Reading

BAND = 128


def _index(rows: Array) -> Probe:
    """Table 1, read in several ways."""
    probe = LeastSquares(rows)
    indices = np.arange(probe.count)
    early = indices < RARELY_TRAINED

    def read(seed: int) -> Reading:
        found = absolute.table_1(probe, seed)
        return Reading(
            {
                "mae": found.mae,
                "mae_unrounded": found.mae_unrounded,
                "mae_clipped": found.mae_clipped,
                "spearman": found.spearman,
                "mae_first_128": float(found.error[early].mean()),
                "mae_rest": float(found.error[~early].mean()) if not early.all() else np.nan,
                "guess": absolute.mean_guess(indices, indices),
            },
            averaged={"error_by_index": found.error},
        )

    return read


def _splits(rows: Array) -> Probe:
    """Q3: what random folds measure, by holding out rows whose neighbours are gone too."""

    def read(seed: int) -> Reading:
        probe = LeastSquares(rows)
        blocks, by_block, guesses = absolute.read_blocks(probe)
        single = absolute.read_single_splits(probe)
        metrics = {
            "blocks": blocks.mae,
            "blocks_clipped": blocks.mae_clipped,
            "blocks_guess": float(guesses.mean()),
        }
        for name, found in single.items():
            metrics |= {name: found.mae, f"{name}_guess": found.guess}
        return Reading(
            metrics,
            averaged={"block_mae": by_block, "block_guess": guesses},
            shown={"predicted_in_blocks": blocks.predicted},
        )

    return read


def _paths(rows: Array) -> Probe:
    """Q4: the order of tables under shrinkage and under fewer components."""
    probe = LeastSquares(rows)

    def read(seed: int) -> Reading:
        ridge = absolute.ridge_path(probe, seed)
        components = absolute.component_path(probe, seed)
        return Reading(
            {"ridge_best": float(ridge.min()), "components_best": float(components.min())},
            curves={"ridge_mae": ridge, "components_mae": components},
            shown={"penalty": absolute.PENALTIES, "components": absolute.COMPONENTS},
        )

    return read


def _regions(rows: Array) -> Probe:
    """Q9: Table 1 on stretches of the table alone; errors are in positions of that stretch."""
    starts = range(0, len(rows) - BAND + 1, BAND)
    bands = [LeastSquares(rows[start : start + BAND]) for start in starts]
    later = LeastSquares(rows[BAND:]) if len(rows) > BAND + 1 else None

    def read(seed: int) -> Reading:
        by_band = [absolute.table_1(band, seed).mae for band in bands]
        return Reading(
            {
                "mae_0_127": by_band[0] if by_band else np.nan,
                "mae_from_128": absolute.table_1(later, seed).mae if later else np.nan,
            },
            curves={"mae_by_band": by_band},
            shown={"band_start": list(starts)},
        )

    return read


def _identification(rows: Array) -> Probe:
    """Q2: every row told from every other by looking it up."""
    apart = identification.separation(rows)

    def read(seed: int) -> Reading:
        accuracy, error = identification.under_noise(rows, seed)
        return Reading(
            {
                "nearest_row_mae": identification.nearest_row(rows, seed),
                "smallest_distance": apart.smallest,
                "relative_distance": apart.relative,
                "collisions": float(apart.collisions),
                "noise_at_half": _crossing(identification.NOISE, accuracy, 0.5),
            },
            curves={"accuracy": accuracy, "mean_error": error},
            shown={
                "noise": identification.NOISE,
                "sigma_over_length": np.array(identification.NOISE) / np.sqrt(rows.shape[1]),
                "nearest_distance": apart.nearest,
            },
        )

    return read


def _crossing(axis: tuple[float, ...], values: Array, level: float) -> float:
    """Return where a falling curve first reaches a level, between points by a line; else NaN."""
    below = np.flatnonzero(values <= level)
    if not below.size:
        return float("nan")
    last = int(below[0])
    if last == 0:
        return axis[0]
    share = (values[last - 1] - level) / (values[last - 1] - values[last])
    return float(axis[last - 1] + share * (axis[last] - axis[last - 1]))


MEASURES = (
    Measure(
        "index",
        "Table 1: the row's index by least squares, shuffled five-fold",
        "positions",
        _index,
        ("mae",),
    ),
    Measure(
        "index-splits",
        "Table 1 with whole stretches held out: blocks, odd rows, second half, rows from 128",
        "positions",
        _splits,
        seeded=False,
    ),
    Measure(
        "index-paths",
        "Table 1 with ridge penalties, and on principal components",
        "positions",
        _paths,
    ),
    Measure(
        "index-regions",
        "Table 1 on rows 0-127, on each later 128, and on all from 128, alone",
        "positions",
        _regions,
        ("mae_0_127", "mae_from_128"),
    ),
    Measure(
        "identification",
        "Rows looked up: nearest row, distances between rows, recognition under noise",
        "positions",
        _identification,
        ("nearest_row_mae",),
    ),
)
