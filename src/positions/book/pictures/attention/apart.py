"""How far each encoding's attention is from NoPE's, beside what two seeds of one kind are apart."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions import published
from positions.analysis.statistics import paired_difference
from positions.book import charts
from positions.book.pictures.attention.study import SCAN, TASKS, Study, over_seeds, titled
from positions.book.pictures.length.names import capital, encoding, listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice
from positions.claims.rules import LEVEL
from positions.experiments.attention import readings
from positions.words import many

AGAINST = {
    "other_seed": "NoPE, another seed",
    "same_seed": "NoPE, same seed",
    "itself": "itself, another seed",
}
FORMS = {"closest": "closest heads", "matched": "all heads, matched", "coded": "as coded"}
PUBLISHED = "published (NoPE, same seed)"
SHAPES = {
    AGAINST["other_seed"]: "circle",
    AGAINST["same_seed"]: "square",
    AGAINST["itself"]: "diamond",
    PUBLISHED: "cross",
}
WIDTH = 430
GREY = "#858585"
NOTHING = "No two models that have learned their task are recorded yet."


def table(study: Study) -> pd.DataFrame:
    """Return task, variant, against, form, mean, low, high, seeds, over all layers and lengths."""
    means = readings.means(study.divergences)
    # NoPE of another seed is NoPE's own twin
    means = means[(means["variant"] != "nope") | (means["against"] == "itself")]
    return over_seeds(means, "divergence", "against", "form")


def printed() -> dict[str, float]:
    """Return the published means over layers and lengths, by variant; NoPE's is another seed's."""
    rows = published.load("length-generalization/attention_divergence_scan")
    rows = rows[rows["layer"] == "all_layers"]
    mean = rows.groupby("other_model")["mean_min_divergence_digitised"].mean()
    return {VARIANT[str(name)]: float(value) for name, value in mean.items()}


VARIANT = {
    "nope_other_seed": "nope",
    "t5": "t5",
    "alibi": "alibi",
    "ape": "sinusoidal",
    "rotary": "rotary",
}
"""The paper's names in its attention figures, and ours."""


def chart(study: Study) -> Picture | Note:
    """Draw the divergence of each encoding, a panel a form; buttons choose the task."""
    ours = table(study)
    if not len(ours):
        return Note(NOTHING)
    ours["kind"] = ours["against"].map(AGAINST)
    paper = pd.DataFrame(
        [
            {"task": SCAN, "variant": name, "form": "coded", "mean": value, "kind": PUBLISHED}
            for name, value in printed().items()
            if name in study.variants
        ]
    )
    frame = pd.concat([ours, paper], ignore_index=True)
    task = choice("apart_task", *titled(frame["task"]), label="task")
    frame["task"] = frame["task"].map(lambda name: TASKS.get(name, name))
    frame = frame[["task", "variant", "form", "kind", "mean", "low", "high", "seeds"]].round(4)
    panels = [
        _panel(frame, form, study.variants).properties(title=title)
        for form, title in (
            ("closest", "closest heads, nats"),
            ("matched", "all heads, matched, nats"),
            ("coded", "closest heads, as coded"),
        )
    ]
    panels[0] = panels[0].add_params(task)
    return Picture(
        alt.vconcat(*panels, spacing=22).configure_legend(
            orient="top", columns=2, symbolOpacity=1, labelLimit=220
        ),
        "Divergence of attention by encoding in three panels: the closest heads, all heads "
        "matched, and the form the paper's code computes, with the published means. One symbol "
        "for NoPE of another seed, of the same seed, and the same encoding with another seed; "
        "mean over seeds and 95 % interval.",
        frame.assign(form=frame["form"].map(FORMS)),
    )


def _panel(frame: pd.DataFrame, form: str, variants: Sequence[str]) -> alt.LayerChart:
    kinds = alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))
    base = (
        alt.Chart(frame)
        .transform_filter(f"datum.form == '{form}' && datum.task == apart_task")
        .encode(
            alt.Y("variant:N").sort(list(variants)).title(None).axis(offset=8),
            alt.YOffset("kind:N").sort(list(SHAPES)),
            alt.Color("variant:N").scale(charts.scale(variants)).legend(None),
        )
    )
    ranges = base.mark_rule(strokeWidth=3, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=70, opacity=1).encode(
        alt.X("mean:Q").title(None).scale(zero=True).axis(tickCount=6),
        alt.Shape("kind:N")
        .scale(kinds)
        .sort(list(SHAPES))
        .title("apart from")
        .legend(symbolFillColor=GREY, symbolStrokeColor=GREY),
        tooltip=[
            alt.Tooltip("variant:N", title="encoding"),
            alt.Tooltip("kind:N", title="apart from"),
            alt.Tooltip("mean:Q", title="nats", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "seeds:Q",
        ],
    )
    step = alt.Step(34, **{"for": "position"})
    return (ranges + dots).properties(width=WIDTH, height=step)


def order(study: Study) -> str:
    """Say which encodings' closest heads are nearest to NoPE's on SCAN, and by how much."""
    found = _by_variant(study, "other_seed", "closest")
    if not len(found):
        return NOTHING
    spelt = listed(f"{encoding(str(name))} {value:.3f}" for name, value in found.items())
    said = f"On SCAN, from the nearest to the farthest, in nats: {spelt}."
    own = _by_variant(study, "itself", "closest")
    if "nope" in own:
        said += f" Two NoPEs that differ in their seed are {own['nope']:.3f} apart."
    return said


def t5_beside_nope(study: Study) -> str:
    """Say whether T5's bias is farther from NoPE than NoPE is from itself."""
    means = readings.means(_scan(study))
    means = means[means["form"] == "closest"]
    t5 = means[(means["variant"] == "t5") & (means["against"] == "other_seed")]
    nope = means[(means["variant"] == "nope") & (means["against"] == "itself")]
    both = t5.merge(nope, on="seed", suffixes=("_t5", "_nope"))
    if len(both) < 2:
        return "There are not two seeds yet in which NoPE and T5's bias can be compared."
    gap = paired_difference(both["divergence_t5"], both["divergence_nope"])
    if gap.p_value >= LEVEL:
        words = "not surely farther from NoPE, or nearer to it, than NoPE is from itself"
    elif gap.mean > 0:
        words = "surely farther from NoPE than NoPE is from itself"
    else:
        words = "surely nearer to NoPE than NoPE is to itself"
    return (
        f"T5's bias is {words}: {gap.mean:+.3f} nats, {gap.low:+.3f} to {gap.high:+.3f} "
        f"over {many(gap.n, 'seed')} (p {gap.p_value:.2g})."
    )


def seeds(study: Study) -> str:
    """Say how much nearer NoPE of the same seed is than NoPE of another."""
    same = _by_variant(study, "same_seed", "closest")
    other = _by_variant(study, "other_seed", "closest")
    both = [name for name in other.index if name in same.index]
    if not both:
        return NOTHING
    parts = [f"{encoding(str(name))} {same[name]:.3f} and {other[name]:.3f}" for name in both]
    return f"From NoPE of the same seed and of another they are apart: {listed(parts)}."


def forms(study: Study) -> str:
    """Say in which order each form puts the encodings on SCAN."""
    parts = []
    for form, against in (
        ("closest", "other_seed"),
        ("matched", "other_seed"),
        ("coded", "same_seed"),
    ):
        found = _by_variant(study, against, form)
        if len(found):
            names = ", ".join(encoding(str(name)) for name in found.index)
            seed = "another seed" if against == "other_seed" else "the same seed"
            parts.append(f"{FORMS[form]} ({seed}): {names}")
    published_order = sorted((name for name in printed().items() if name[0] != "nope"), key=_second)
    parts.append(f"published: {', '.join(encoding(name) for name, _ in published_order)}")
    return f"From the nearest to the farthest. {'. '.join(map(capital, parts))}."


def of_one_kind(study: Study) -> str:
    """Say which encodings are farther from NoPE than two of their own models from each other."""
    own, other = (_by_variant(study, name, "matched") for name in ("itself", "other_seed"))
    both = [name for name in other.index if name in own.index]
    if not both:
        return NOTHING
    farther = [encoding(str(name)) for name in both if other[name] > own[name]]
    parts = listed(f"{encoding(str(name))} {other[name]:.3f} and {own[name]:.3f}" for name in both)
    return (
        f"All heads matched, from NoPE and from its own twin: {parts}. "
        f"Farther from NoPE than from their own kind are {listed(farther)}."
    )


def _second(item: tuple[str, float]) -> float:
    return item[1]


def _scan(study: Study) -> pd.DataFrame:
    return study.divergences[study.divergences["task"] == SCAN]


def _by_variant(study: Study, against: str, form: str) -> pd.Series:
    """Return the mean divergence on SCAN by variant, the nearest first; NoPE only from itself."""
    means = readings.means(_scan(study))
    means = means[(means["against"] == against) & (means["form"] == form)]
    if against != "itself":
        means = means[means["variant"] != "nope"]
    return means.groupby("variant")["divergence"].mean().sort_values()
