"""Tests of what Kazemnejad et al. 2023 say of attention (sections 5.2 and 6.1)."""

from __future__ import annotations

from positions.claims.attention_readings import AttentionReadings, BySeed, greatest, least
from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.claims.rules import Step, compare, correct, explain_steps, mean_figure
from positions.words import many

FIVE = ("nope", "t5", "alibi", "rotary", "sinusoidal")
OTHERS = FIVE[1:]
FARTHEST = ("rotary", "sinusoidal")

APART = 2.0
"""Hundredths of a nat of the true divergence, whose greatest value is 69 of them."""
HUNDREDTHS = "hundredths of a nat"
SHARE = 0.05


def closest_to_t5(claim: Claim, evidence: Evidence) -> Finding:
    """C12: T5's attention is the closest to NoPE's, absolute embeddings' and Rotary's are farthest.

    Judged by the true divergence of the closest heads, between models of different seeds: models
    of the same seed start from the same weights where their encodings allow it. Figures are the
    published form, as coded and with the same seed.
    """
    readings = AttentionReadings(evidence, "scan")
    if readings.missing(*FIVE):
        return readings.untested(claim, *FIVE)
    figures = _divergences(readings, claim)
    steps = _order(readings.apart("other_seed", "closest", *OTHERS))
    return readings.finding(steps, figures, _around(readings), *FIVE)


def order_in_each_layer(claim: Claim, evidence: Evidence) -> Finding:
    """C13: T5 below ALiBi, ALiBi below absolute embeddings, Rotary farthest, in every layer.

    Judged as C12, by the least gap of all layers, seed by seed: it is above 0 where the order
    holds in all of them.
    """
    readings = AttentionReadings(evidence, "scan")
    if readings.missing(*FIVE):
        return readings.untested(claim, *FIVE)
    table = readings.by_layer("other_seed", "closest").reindex(columns=list(OTHERS)).dropna()
    gaps = {
        "t5 below alibi": table["alibi"] - table["t5"],
        "alibi below sinusoidal": table["sinusoidal"] - table["alibi"],
        "rotary farthest": table["rotary"] - table[["t5", "alibi", "sinusoidal"]].max(axis=1),
    }
    known = claim.published()
    figures = [
        mean_figure(name, list((gap > 0).groupby("seed").mean()), known[name])
        for name, gap in gaps.items()
    ]
    values: dict[str, BySeed] = {}
    for name, gap in gaps.items():
        smallest = 100 * gap.groupby("seed").min()
        values |= {_least_gap(name): smallest.to_dict(), "0": dict.fromkeys(smallest.index, 0.0)}
    steps = compare([("0", _least_gap(name)) for name in gaps], values, 0.0, HUNDREDTHS)
    layers = table.index.get_level_values("layer").nunique() if len(table) else 0
    context = f"Our models have {many(layers, 'layer')}, the paper's 12." if layers else ""
    return readings.finding(steps, figures, [context], *FIVE)


def near_and_far(claim: Claim, evidence: Evidence) -> Finding:
    """C17: NoPE and T5 look far more often than ALiBi, near less often, and nearer than the rest.

    Judged by the key that gets most of each answer token and head, as published.
    """
    readings = AttentionReadings(evidence, "addition, full scratchpad")
    if readings.missing(*FIVE):
        return readings.untested(claim, *FIVE)
    near, far = (readings.shares(name, *FIVE) for name in ("near", "far"))
    both, spread = "nope and t5", "rotary and sinusoidal"
    values = {
        f"near: the more of {both}": greatest(_only(near, "nope", "t5")),
        f"near: the less of {both}": least(_only(near, "nope", "t5")),
        f"near: the more of {spread}": greatest(_only(near, *FARTHEST)),
        f"far: the less of {both}": least(_only(far, "nope", "t5")),
        "near: alibi": near["alibi"],
        "far: alibi": far["alibi"],
    }
    pairs = [
        ("far: alibi", f"far: the less of {both}"),
        (f"near: the more of {both}", "near: alibi"),
        (f"near: the more of {spread}", f"near: the less of {both}"),
    ]
    steps = compare(pairs, values, SHARE, "in share")
    known = claim.published()
    figures = [
        mean_figure(f"{name}: {side}", list(table[name].values()), known[f"{name}: {side}"])
        for name in FIVE
        for side, table in (("near", near), ("far", far))
    ]
    return readings.finding(steps, figures, _beside_even(readings), *FIVE)


def _order(apart: dict[str, BySeed]) -> list[Step]:
    """Compare T5 with the nearest of the others, and the near two with the farthest two."""
    nearest = "the nearest of alibi, rotary and sinusoidal"
    near, far = "the farther of t5 and alibi", "the nearer of rotary and sinusoidal"
    apart = {
        name: {seed: 100 * value for seed, value in found.items()} for name, found in apart.items()
    }
    values = {
        "t5": apart["t5"],
        nearest: least(_only(apart, "alibi", *FARTHEST)),
        near: greatest(_only(apart, "t5", "alibi")),
        far: least(_only(apart, *FARTHEST)),
    }
    return compare([("t5", nearest), (near, far)], values, APART, HUNDREDTHS)


def _divergences(readings: AttentionReadings, claim: Claim) -> list[Figure]:
    """Return our means in the published form beside the published ones."""
    ours = readings.apart("same_seed", "coded", *OTHERS)
    twins = readings.apart("itself", "coded", "nope")
    found = {"nope, another seed": twins["nope"], **ours}
    return [
        mean_figure(name, list(found[name].values()), value)
        for name, value in claim.published().items()
    ]


def _around(readings: AttentionReadings) -> list[str]:
    """Say what the coded form gives, and how far two models of one encoding are apart."""
    parts = []
    coded = correct(_order(readings.apart("same_seed", "coded", *OTHERS)))
    if coded:
        parts.append(f"As coded in the paper, with the same seed: {explain_steps(coded)}")
    twins = readings.apart("itself", "closest", *FIVE)
    spelt = [
        f"{name} {sum(values.values()) / len(values):.3f}"
        for name, values in twins.items()
        if values
    ]
    if spelt:
        parts.append(f"Two models that differ in the seed alone are apart: {', '.join(spelt)}.")
    return parts


def _beside_even(readings: AttentionReadings) -> list[str]:
    """Say what a head without preference has near and far, and what all of attention has."""
    if not len(readings.runs):
        return []
    even = readings.runs[["near_even", "far_even"]].mean()
    parts = [
        f"A head that looks at everything alike has {even.iloc[0]:.2f} near and "
        f"{even.iloc[1]:.2f} far here."
    ]
    near, far = (readings.shares(f"{name}_mass", *FIVE) for name in ("near", "far"))
    spelt = [
        f"{name} {_mean(near[name]):.2f} and {_mean(far[name]):.2f}" for name in FIVE if near[name]
    ]
    parts.append(f"Of all attention, near and far: {', '.join(spelt)}.")
    return parts


def _only(values: dict[str, BySeed], *names: str) -> dict[str, BySeed]:
    return {name: values[name] for name in names}


def _least_gap(order: str) -> str:
    return f"{order}, least gap of all layers"


def _mean(values: BySeed) -> float:
    return sum(values.values()) / len(values)
