"""Measures of the distance of two positions (Q8)."""

from __future__ import annotations

from positions.analysis.probes import distance, distance_forms
from positions.analysis.rows import Array
from positions.experiments.probing.measures.order import BAND_NAMES
from positions.experiments.probing.reading import Measure, Probe, Reading

FEATURES: tuple[distance.Features, ...] = ("concatenation", "difference")


def _linear(rows: Array) -> Probe:
    """Least squares on two rows."""
    floor = distance.additive_floor(len(rows))

    def read(seed: int) -> Reading:
        everything = distance.linear_on_all_pairs(rows, seed)
        metrics = {
            "all_pairs_mae": everything.mae,
            "all_pairs_guess": everything.guess,
            "all_pairs_spearman": everything.spearman,
            "additive_floor": floor,
        }
        for split, disjoint, near in (
            ("shared", False, None),
            ("disjoint", True, None),
            ("near", True, distance.NEAR),
        ):
            for features in FEATURES:
                # As many pairs as positions, as in Table 2.
                readings = distance.linear(
                    rows, seed, features, disjoint=disjoint, near=near, count=len(rows)
                )
                for kind, found in zip(("absolute", "signed"), readings, strict=True):
                    metrics |= {
                        f"{kind}_{features}_{split}_mae": found.mae,
                        f"{kind}_{features}_{split}_spearman": found.spearman,
                        f"{kind}_{split}_guess": found.guess,
                    }
        return Reading(metrics)

    return read


def _forms(rows: Array) -> Probe:
    """Quadratic forms of two rows."""
    ranks = [rank for rank in distance_forms.RANKS if rank <= min(rows.shape)]

    def read(seed: int) -> Reading:
        bilinear = distance_forms.bilinear(rows, seed)
        projections = [distance_forms.projection(rows, seed, rank) for rank in ranks]
        widest = projections[-1]
        return Reading(
            {
                "guess": bilinear.guess,
                "bilinear_mae": bilinear.mae,
                "bilinear_spearman": bilinear.spearman,
                "projection_mae": widest.mae,
                "projection_spearman": widest.spearman,
            },
            curves={
                "projection_mae_by_rank": [found.mae for found in projections],
                "projection_spearman_by_rank": [found.spearman for found in projections],
            },
            pooled={
                "bilinear_error_by_distance": (bilinear.band_error, bilinear.band_count),
                "projection_error_by_distance": (widest.band_error, widest.band_count),
            },
            shown={"rank": ranks, "distance": BAND_NAMES},
        )

    return read


MEASURES = (
    Measure(
        "distance-linear",
        "Distance of two positions by least squares on their rows",
        "positions",
        _linear,
        ("absolute_concatenation_disjoint_mae", "absolute_disjoint_guess", "all_pairs_mae"),
    ),
    Measure(
        "distance-forms",
        "Distance of two positions by a bilinear form and by the length of a projection",
        "positions",
        _forms,
        ("bilinear_mae", "projection_mae", "guess"),
    ),
)
