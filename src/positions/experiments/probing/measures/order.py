"""Measures of order, and of how far index and order are the table's or the probe's."""

from __future__ import annotations

import numpy as np

from positions.analysis.probes import order, selectivity
from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.probes.pairs import BANDS, by_band
from positions.analysis.rows import Array
from positions.experiments.probing.reading import Measure, Probe, Reading

BAND = 128
SCALES = (0.01, 0.1, 1.0, 10.0)
BAND_NAMES = [f"{first}" if first == last else f"{first}-{last}" for first, last in BANDS]


def _order(rows: Array) -> Probe:
    """Table 2."""

    def read(seed: int) -> Reading:
        found = order.table_2(rows, seed)
        return Reading(
            {"error": found.error},
            pooled={"error_by_distance": by_band(100.0 * found.wrong, found.pairs)},
            shown={"distance": BAND_NAMES},
        )

    return read


def _splits(rows: Array) -> Probe:
    """Q7: Table 2 with positions held out, at random and in blocks."""

    def read(seed: int) -> Reading:
        shared = order.table_2(rows, seed).error
        disjoint = order.disjoint(rows, seed)
        blocks = order.in_blocks(rows, seed)
        return Reading(
            {
                "shared": shared,
                "disjoint": disjoint.error,
                "leak": disjoint.error - shared,
                "blocks": blocks.error,
            },
            curves={"block_error": blocks.fold_errors},
            pooled={"disjoint_by_distance": by_band(100.0 * disjoint.wrong, disjoint.pairs)},
            shown={"distance": BAND_NAMES},
        )

    return read


def _pairs(rows: Array) -> Probe:
    """Q7: Table 2 by the number of pairs."""
    counts = [count for count in order.PAIR_COUNTS if count <= len(rows) ** 2 // 4]

    def read(seed: int) -> Reading:
        shared = [order.table_2(rows, seed, count).error for count in counts]
        disjoint = [order.disjoint(rows, seed, count).error for count in counts]
        return Reading(
            {"shared_at_most_pairs": shared[-1], "disjoint_at_most_pairs": disjoint[-1]},
            curves={"shared_error": shared, "disjoint_error": disjoint},
            shown={"pairs": counts},
        )

    return read


def _features(rows: Array) -> Probe:
    """Q7 and quirks 6, 7: other features, and the same table at other scales."""

    def read(seed: int) -> Reading:
        def scaled(features: order.logistic.Features) -> list[float]:
            return [order.table_2(scale * rows, seed, features=features).error for scale in SCALES]

        concatenation, difference = scaled("concatenation"), scaled("difference")
        standardised = order.table_2(rows, seed, standardise=True)
        both = order.table_2(rows, seed, features="difference", standardise=True)
        return Reading(
            {
                "concatenation": concatenation[SCALES.index(1.0)],
                "difference": difference[SCALES.index(1.0)],
                "standardised": standardised.error,
                "standardised_difference": both.error,
            },
            curves={"concatenation_error": concatenation, "difference_error": difference},
            shown={"scale": SCALES},
        )

    return read


def _regions(rows: Array) -> Probe:
    """Q9: Table 2 on stretches of the table alone."""
    starts = range(0, len(rows) - BAND + 1, BAND)

    def read(seed: int) -> Reading:
        by_stretch = [order.table_2(rows[start : start + BAND], seed).error for start in starts]
        later = len(rows) > BAND + 40
        return Reading(
            {
                "error_0_127": by_stretch[0] if by_stretch else np.nan,
                "error_from_128": order.table_2(rows[BAND:], seed).error if later else np.nan,
            },
            curves={"error_by_band": by_stretch},
            shown={"band_start": list(starts)},
        )

    return read


def _selectivity(rows: Array) -> Probe:
    """Q6: both probes beside a fixed random order of the positions."""
    probe = LeastSquares(rows)

    def read(seed: int) -> Reading:
        found = {
            "index": selectivity.of_index(probe, seed),
            "order": selectivity.of_order(rows, seed),
            "order_disjoint": selectivity.of_order(rows, seed, disjoint=True),
        }
        metrics: dict[str, float] = {}
        for name, one in found.items():
            metrics |= {
                f"{name}_real": one.real,
                f"{name}_control": one.control,
                f"{name}_selectivity": one.selectivity,
            }
        return Reading(metrics)

    return read


MEASURES = (
    Measure(
        "order",
        "Table 2: which of two positions comes first, logistic regression on 512 pairs",
        "percent",
        _order,
        ("error",),
    ),
    Measure(
        "order-splits",
        "Table 2 with positions held out, at random and in blocks",
        "percent",
        _splits,
        ("shared", "disjoint"),
    ),
    Measure(
        "order-pairs",
        "Table 2 with 128 to 65,536 pairs, positions shared and held out",
        "percent",
        _pairs,
    ),
    Measure(
        "order-features",
        "Table 2 on standardised columns, on differences, and at other scales of the table",
        "percent",
        _features,
        ("concatenation", "difference"),
    ),
    Measure(
        "order-regions",
        "Table 2 on rows 0-127, on each later 128, and on all from 128, alone",
        "percent",
        _regions,
        ("error_0_127", "error_from_128"),
    ),
    Measure(
        "selectivity",
        "Tables 1 and 2 beside a control task: a fixed random order of the positions",
        "positions and percent",
        _selectivity,
        ("index_selectivity", "order_selectivity", "order_disjoint_selectivity"),
    ),
)
