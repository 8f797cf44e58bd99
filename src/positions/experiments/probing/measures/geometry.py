"""Measures of geometry; the seed matters only where it draws the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from positions.analysis.geometry import helix as helices
from positions.analysis.geometry import informativeness as ranks
from positions.analysis.geometry import invariance, nearby, shift, spectrum
from positions.analysis.geometry.cosine import cosine_map
from positions.analysis.rows import Array
from positions.experiments.probing.reading import Measure, Probe, Reading

BAND = 128
EIGENVALUES = 64
KINDS = {
    "cosine": ("cosine", False),
    "centred_cosine": ("cosine", True),
    "product": ("inner product", False),
}


def _invariance(rows: Array) -> Reading:
    """Invariance and monotonicity, of the whole table and of stretches of 128."""
    metrics: dict[str, float] = {}
    for name, (proximity, centre) in KINDS.items():
        found = invariance.table_invariance(rows, proximity, centre)
        metrics |= {f"{name}_{part}": value for part, value in vars(found).items()}
    cosines = cosine_map(rows)
    starts = range(0, len(rows) - BAND + 1, BAND)
    bands = [
        invariance.map_invariance(cosines[start : start + BAND, start : start + BAND])
        for start in starts
    ]
    return Reading(
        metrics,
        averaged={
            "band_toeplitz_r2": [band.toeplitz_r2 for band in bands],
            "band_translation_error": [band.translation_error for band in bands],
            "band_local_forward": [band.local_forward for band in bands],
            "band_local_backward": [band.local_backward for band in bands],
        },
        shown={"band_start": list(starts)},
    )


def _informativeness(rows: Array) -> Reading:
    """Singular values."""
    raw = ranks.informativeness(rows)
    moved = ranks.informativeness(rows, centre=True)
    metrics: dict[str, float] = {}
    for name, found in (("", raw), ("centred_", moved)):
        metrics |= {
            f"{name}effective_rank": found.effective_rank,
            f"{name}participation_ratio": found.participation_ratio,
            f"{name}stable_rank": found.stable_rank,
            f"{name}numerical_rank": float(found.numerical_rank),
        }
        for level, count in found.components.items():
            metrics[f"{name}components_{level:.0%}".rstrip("%")] = float(count)
        for level, count in found.energy_components.items():
            metrics[f"{name}energy_components_{level:.0%}".rstrip("%")] = float(count)
    return Reading(
        metrics,
        averaged={"share": raw.share, "energy_share": raw.energy_share},
    )


def _nearby(rows: Array) -> Reading:
    """Cosines of rows up to 32 apart."""
    whole, centred = nearby.nearby(rows), nearby.nearby(rows, centre=True)
    bands = nearby.nearby_by_band(rows)
    averaged = {
        "mean": whole.mean,
        "deviation": whole.deviation,
        "centred_mean": centred.mean,
        "centred_deviation": centred.deviation,
    }
    for band in bands:
        averaged[f"mean_{band.first}_{band.last}"] = band.mean
        averaged[f"deviation_{band.first}_{band.last}"] = band.deviation
    metrics = {f"cosine_at_{k}": float(whole.mean[k - 1]) for k in (1, 8, 32)}
    metrics |= {f"centred_cosine_at_{k}": float(centred.mean[k - 1]) for k in (1, 8, 32)}
    return Reading(metrics, averaged=averaged, shown={"offset": whole.offsets})


def _spectrum(rows: Array) -> Reading:
    """Fourier spectra of columns and components."""
    found = spectrum.spectrum(rows)
    components = spectrum.component_spectra(rows, 4)
    metrics = {
        "low_share": found.low_share,
        "entropy": found.entropy,
        "median_peak": float(np.median(found.peaks)),
    }
    return Reading(
        metrics,
        averaged={
            "amplitude_mean": found.mean,
            "amplitude_lower": found.lower,
            "amplitude_upper": found.upper,
            "energy": found.energy,
        },
        shown={
            "frequency": found.frequencies,
            "component_peak": components.peaks,
            "component_explained": components.explained,
        },
    )


def _helix(rows: Array) -> Reading:
    """Three principal components as a curve."""
    found = helices.helix(rows)
    return Reading(
        {
            "roundness": found.circle.roundness,
            "angle_r2": found.circle.angle_r2,
            "turns": found.circle.turns,
            "pitch_r2": found.pitch_r2,
            "explained": float(found.explained.sum()),
        },
        shown={
            "component_1": found.scores[:, 0],
            "component_2": found.scores[:, 1],
            "component_3": found.scores[:, 2],
            "row_length": found.norms,
            "explained_share": found.explained,
            "plane": found.plane,
        },
    )


def _shift(rows: Array) -> Reading:
    """One matrix that takes every row some positions on."""
    found = shift.shift_reading(rows)
    operator = shift.shift_operator(rows)
    return Reading(
        {
            "r2_at_1": float(found.r2[0]),
            "copy_r2_at_1": float(found.copy_r2[0]),
            "median_modulus": float(np.median(operator.moduli)),
        },
        averaged={
            "r2": found.r2,
            "composed_r2": found.composed_r2,
            "copy_r2": found.copy_r2,
        },
        shown={
            "offset": found.offsets,
            "modulus": operator.moduli[:EIGENVALUES],
            "angle": operator.angles[:EIGENVALUES],
        },
    )


def _unseeded(read: Callable[[Array], Reading]) -> Callable[[Array], Probe]:
    """Return the `prepare` of a measure that looks at the rows alone."""
    return lambda rows: lambda seed: read(rows)


MEASURES = tuple(
    Measure(name, title, unit, _unseeded(read), seeded=False)
    for name, title, unit, read in (
        (
            "invariance",
            "Translation invariance and monotonicity of cosines and inner products",
            "share of variance, and Kendall's tau",
            _invariance,
        ),
        (
            "informativeness",
            "Singular values: how many directions a table uses",
            "directions",
            _informativeness,
        ),
        ("nearby", "Cosines of rows up to 32 positions apart", "cosine", _nearby),
        ("spectrum", "Frequencies along the table", "cycles per table", _spectrum),
        ("helix", "Three principal components as a curve", "share of variance", _helix),
        ("shift", "One matrix that moves every row on", "share of variance", _shift),
    )
)
