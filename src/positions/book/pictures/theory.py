"""Pictures of the theorems on decoders without position encoding: what the weights do, measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import altair as alt
import numpy as np
import pandas as pd
import torch

from positions.analysis.theory import absolute, distances, relative, symmetry
from positions.analysis.theory.decoder import (
    BOS,
    Precision,
    decoder,
    layers,
    projections,
    texts,
    to_precision,
)
from positions.analysis.theory.hinges import FACINGS, Facing
from positions.book.charts import colour
from positions.book.pictures.sliders import Picture, choice, slider, unfold
from positions.encodings import build
from positions.encodings.t5 import bucket
from positions.model import LanguageModel, Trace
from positions.runs import Record

WIDTH = 560
HEIGHT = 260
LINES = ("#0797ff", "#f85e13", "#919a06", "#a781e1", "#858585")
"""Colours that belong to no encoding and no table."""
PRECISIONS: tuple[Precision, ...] = ("float64", "float32", "bfloat16")
LEAST = 1e-16
"""What an error of 0 is drawn as, on a logarithmic axis."""
STEPS = 40
_POWERS = alt.Axis(format=".0e", values=[10.0**power for power in range(-16, 5, 2)])


def counting(longest: int, facing: Facing = "rising", seed: int = 0) -> LanguageModel:
    """Make a decoder of one layer that writes the positions up to `longest`."""
    model = decoder(longest, layers=1, seed=seed)
    absolute.write_positions(model, longest, facing=facing)
    return model


def errors(longest: int = 512, step: int = 16, seed: int = 0) -> Picture:
    """Theorem 1: the error of the position read, by position, N, number format and hinges."""
    rows = []
    for n in range(step, longest + 1, step):
        shown = _spaced(n)
        for facing in FACINGS:
            for precision in PRECISIONS:
                model = to_precision(counting(n, facing, seed), precision)
                found = absolute.errors(model, texts(n, 1, seed))[shown - 1]
                settings = {"N": n, "precision": precision, "hinges": facing}
                rows.append({**settings, "error": [_two_digits(value) for value in found]})
    chosen = (
        slider("N", step, longest, longest, "N ", step=step),
        choice("precision", *PRECISIONS),
        choice("hinges", *FACINGS),
    )
    lines, numbers = unfold(rows, "error", "step", 0, *chosen)
    chart = (
        lines.transform_calculate(position=f"round(pow(datum.N, datum.step / {STEPS - 1}))")
        .mark_point(color=colour("nope"), opacity=1)
        .encode(
            alt.X("position:Q").title("position t").scale(type="log", nice=False),
            alt.Y("error:Q")
            .title("error, positions")
            .scale(type="log", domain=[LEAST, 1e4])
            .axis(_POWERS),
            tooltip=["position:Q", alt.Tooltip("error:Q", format=".1e")],
        )
        .properties(width=WIDTH, height=HEIGHT)
    )
    numbers["position"] = _spaced(longest)
    numbers = numbers.drop(columns="step").drop_duplicates("position", ignore_index=True)
    return Picture(
        chart,
        "How far the position read is off, by position, on logarithmic axes. A slider sets N, "
        "buttons the number format and the way the hinges face. In float64 it is off by less than "
        "a billionth, in float32 by thousandths, in bfloat16 by whole positions.",
        numbers,
    )


def worst_by_length(records: Iterable[Record]) -> Picture:
    """Theorem 1: the worst error of recorded constructions, by N, number format and hinges."""
    frame = pd.DataFrame(
        [
            {
                "N": record.config["longest"],
                "precision": record.config["precision"],
                "hinges": record.config["facing"],
                "error": max(record.metrics["error"] or 0.0, LEAST),
            }
            for record in records
            if record.config["theorem"] == "absolute"
            and record.config["norm"] == "none"
            and record.config["shortest"] == record.config["longest"]
        ],
        columns=["N", "precision", "hinges", "error"],
    )
    chart = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            alt.X("N:Q").title("N, greatest position").scale(type="log", base=2, nice=False),
            alt.Y("error:Q").title("worst error, positions").scale(type="log").axis(_POWERS),
            _colour("precision", PRECISIONS),
            alt.StrokeDash("hinges:N")
            .scale(domain=list(FACINGS), range=[[1, 0], [5, 4]])
            .title("hinges"),
            tooltip=["N:Q", "precision:N", "hinges:N", alt.Tooltip("error:Q", format=".1e")],
        )
        .properties(width=WIDTH, height=HEIGHT)
        .configure_legend(orient="bottom")
    )
    return Picture(
        chart,
        "The worst error over all positions up to N, by N, on logarithmic axes, one line for each "
        "number format and way of facing. All lines rise; falling hinges lie below rising ones.",
        frame,
    )


def outside(longest: int = 32, seed: int = 0) -> Picture:
    """Theorem 1: what is read where its conditions don't hold."""
    model = counting(longest, seed=seed)
    length = 2 * longest
    marked = texts(length, 1, seed)
    again = marked.clone()
    again[0, longest // 2] = BOS
    cases = {
        "marked first token": marked,
        "no mark": texts(length, 1, seed, first="any"),
        "mark comes again": again,
    }
    frame = pd.DataFrame(
        [
            {"text": name, "position": t, "read": round(float(value), 3)}
            for name, tokens in cases.items()
            for t, value in enumerate(absolute.read(model, tokens).position[0], start=1)
        ]
    )
    lines = (
        alt.Chart(frame)
        .mark_line()
        .encode(
            _axis("position", "position t"),
            alt.Y("read:Q").title("position read"),
            _colour("text", cases),
            tooltip=["text:N", "position:Q", alt.Tooltip("read:Q", format=".2f")],
        )
    )
    end = alt.Chart().mark_rule(strokeDash=[4, 4]).encode(x=alt.datum(longest))
    chart = (lines + end).properties(width=WIDTH, height=HEIGHT)
    return Picture(
        chart.configure_legend(orient="bottom"),
        f"The position read by a construction for N = {longest}, by position. With a marked first "
        f"token it is right up to {longest} and stays there; without a mark it is always "
        f"{longest}; where the mark comes again it falls to half and rises at half the pace.",
        frame,
    )


def by_norm(records: Iterable[Record]) -> Picture:
    """Theorem 1 under a norm: the worst error by the constant and by what queries read."""
    reads = {"content": "all but the constant", "all": "all", "zero": "nothing"}
    frame = pd.DataFrame(
        [
            {
                "norm": {"rms": "RMS norm", "layer": "layer norm"}[record.config["norm"]],
                "constant": record.config["large"],
                "queries read": reads[record.config["queries"]],
                "error": record.metrics["error"],
            }
            for record in records
            if record.config["theorem"] == "absolute" and record.config["norm"] != "none"
        ],
        columns=["norm", "constant", "queries read", "error"],
    )
    panel = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            alt.X("constant:Q").title("constant C").scale(type="log").axis(format=",.0f"),
            alt.Y("error:Q").title("worst error, positions").scale(type="log").axis(_POWERS),
            _colour("queries read", reads.values()),
            alt.StrokeDash("queries read:N")
            .scale(domain=list(reads.values()), range=[[1, 0], [1, 0], [4, 6]])
            .title("queries read"),
            tooltip=["constant:Q", "queries read:N", alt.Tooltip("error:Q", format=".1e")],
        )
        .properties(width=WIDTH // 2 - 40, height=220)
    )
    facet = alt.Facet("norm:N").title(None).sort(["RMS norm", "layer norm"])
    return Picture(
        panel.facet(facet, columns=2).configure_legend(orient="bottom"),
        "The worst error under each norm, by the size of the constant, on logarithmic axes. With "
        "queries that don't read the constant it falls a hundredfold for each tenfold constant, "
        "with queries that do only tenfold.",
        frame,
    )


def added_to_logits(longest: int = 64, heads: int = 4, seed: int = 0) -> Picture:
    """Theorem 2: what position adds to the logits of layer 2, beside the library's ALiBi."""
    model, _ = relative.as_alibi(longest, heads=heads, seed=seed)
    found = _position_part(model, texts(longest, 1, seed))
    ids = torch.arange(longest)[None]
    bias = build("alibi", width=16, heads=heads, max_length=longest).bias(None, None, ids, ids)
    assert bias is not None
    frame = pd.DataFrame(
        [
            {
                "head": f"head {head + 1}",
                "distance": n,
                "constructed": round(float(found[head, -1, -1 - n]), 6),
                "ALiBi": round(float(bias[0, head, -1, -1 - n]), 6),
            }
            for head in range(heads)
            for n in range(0, longest, 3)
        ]
    )
    base = alt.Chart(frame).encode(_axis("distance", "distance t - i"))
    lines = base.mark_line(color=colour("alibi"), strokeWidth=2).encode(
        alt.Y("ALiBi:Q").title("added to the logit"), detail="head:N"
    )
    points = base.mark_point(color=colour("nope"), opacity=1).encode(
        alt.Y("constructed:Q"),
        alt.Shape("head:N").title("constructed"),
        tooltip=["head:N", "distance:Q", "constructed:Q", "ALiBi:Q"],
    )
    chart = (lines + points).properties(width=WIDTH, height=HEIGHT)
    return Picture(
        chart.configure_legend(orient="bottom"),
        "What position adds to the logit by distance, for four heads: marks of the constructed "
        "decoder lie on the lines of ALiBi, which fall with a slope of their own for each head.",
        frame,
    )


def in_waves(longest: int = 128, draws: int = 20) -> Picture:
    """How close a head comes to a function of distance, made of waves, by the entries it spends."""
    grid = sorted({1, 3, *range(9, longest, 8), longest})
    rows = [
        {
            "curve": name,  # an expression may not name a field "function"
            "period": f"{period} tokens",
            "error": [round(_mean_rmse(several, terms, period), 4) for terms in grid],
        }
        for name, several in _functions(longest, draws).items()
        for period in (2 * longest, longest)
    ]
    periods = [f"{2 * longest} tokens", f"{longest} tokens"]
    chart, numbers = unfold(rows, "error", "step", 0, choice("curve", *_functions(longest, 1)))
    lines = (
        chart.transform_calculate(entries=f"{grid}[datum.step]")
        .mark_line(point=True)
        .encode(
            _axis("entries", "entries of a head"),
            alt.Y("error:Q").title("root mean square error").scale(domain=[0, 1]),
            _colour("period", periods).title("longest wave"),
            tooltip=["period:N", "entries:Q", alt.Tooltip("error:Q", format=".3f")],
        )
        .properties(width=WIDTH, height=HEIGHT)
        .configure_legend(orient="bottom")
    )
    numbers["entries"] = [grid[step] for step in numbers.pop("step")]
    return Picture(
        lines,
        f"The error of a function of distance, over {longest} distances, when a head makes it of "
        "the slowest waves, by how many entries it spends. Buttons choose the function. T5's "
        f"buckets and any numbers are met only at about {longest} entries, smooth ones sooner.",
        numbers,
    )


def entries_needed(longest: int = 128, error: float = 0.05) -> pd.DataFrame:
    """Return how many entries of a head each function takes to come within an error.

    Columns: `at least`, whatever the head does (on the keys that late queries see, a square), and
    `in waves`, the slowest of the better period. The error is a root mean square, as is the s.d.,
    which is 1.
    """
    rows = []
    for name, (values, *_) in _functions(longest, 1).items():
        least = next(n for n in range(longest + 2) if distances.least_rmse(values, n) <= error)
        enough = next(
            n
            for n in range(1, longest + 2)
            for period in (longest, 2 * longest)
            if distances.rmse(distances.by_waves(values, n, period), values) <= error
        )
        rows.append({"function": name, "at least": least, "in waves": enough})
    return pd.DataFrame(rows)


def drawing_together(length: int = 512, seed: int = 0) -> Picture:
    """How far neighbours' states lie apart in a text of one word behind a marked first token."""
    tokens = symmetry.repeated(length, marked=True)
    shown = _spaced(length - 1)
    extremes: tuple[Precision, ...] = ("float64", "bfloat16")
    frame = pd.DataFrame(
        [
            {"precision": precision, "position": int(t) + 1, "gap": float(f"{gaps[t - 1]:.3g}")}
            for precision in extremes
            for gaps in [
                symmetry.steps(
                    symmetry.states(symmetry.network(precision=precision, seed=seed), tokens)
                )
            ]
            for t in shown
        ]
    )
    chart = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            alt.X("position:Q").title("position t").scale(type="log", nice=False),
            alt.Y("gap:Q").title("distance to the state before").scale(type="log").axis(_POWERS),
            _colour("precision", extremes),
            tooltip=["precision:N", "position:Q", alt.Tooltip("gap:Q", format=".2e")],
        )
        .properties(width=WIDTH, height=HEIGHT)
        .configure_legend(orient="bottom")
    )
    return Picture(
        chart,
        "The distance between the states of neighbours, by position, on logarithmic axes. It falls "
        "steadily in float64; in bfloat16 it stops falling after some thirty positions, where "
        "rounding is all that is left.",
        frame,
    )


def alike(encodings: Sequence[str], length: int = 64, seed: int = 0) -> pd.DataFrame:
    """Return by encoding how far states of one repeated word differ, without and with a mark.

    Columns: the greatest difference over all positions, in any entry of the last layer's states.
    """
    rows = []
    for name in encodings:
        model = symmetry.network(name, longest=length, seed=seed)
        spreads = [
            symmetry.spread(symmetry.states(model, symmetry.repeated(length, marked)))
            for marked in (False, True)
        ]
        rows.append({"encoding": name, "one word only": spreads[0], "marked first": spreads[1]})
    return pd.DataFrame(rows)


def _position_part(model: LanguageModel, tokens: torch.Tensor) -> np.ndarray:
    """Return what the first two entries of each head of layer 2 add, (heads, queries, keys)."""
    trace = Trace()
    with torch.no_grad():
        model.transformer(tokens, trace=trace)
        x = layers(model)[1].attention_norm(trace.states[1])[0]
        q, k, _ = (weight[:, :2] @ x.T for weight in projections(model, 1))
        return np.asarray(q.mT @ k * model.config.scale)


def _functions(longest: int, draws: int) -> dict[str, list[np.ndarray]]:
    """Return functions of distance 0 to `longest` - 1, some drawn several times."""
    n = np.arange(longest)
    rng = np.random.default_rng(0)
    buckets = bucket(torch.arange(longest)).numpy()
    return {
        "T5's buckets": [rng.standard_normal(32)[buckets] for _ in range(draws)],
        "any numbers": [rng.standard_normal(longest) for _ in range(draws)],
        "logarithm": [_standard(-np.log1p(n))],
        "line": [_standard(-1.0 * n)],
    }


def _standard(values: np.ndarray) -> np.ndarray:
    return np.asarray((values - values.mean()) / values.std())


def _mean_rmse(several: Iterable[np.ndarray], terms: int, period: int) -> float:
    return float(
        np.mean(
            [
                distances.rmse(distances.by_waves(values, terms, period), values)
                for values in several
            ]
        )
    )


def _colour(field: str, names: Iterable[str]) -> alt.Color:
    domain = list(names)
    scale = alt.Scale(domain=domain, range=list(LINES[: len(domain)]))
    return alt.Color(f"{field}:N").scale(scale).title(None)


def _axis(field: str, title: str) -> alt.X:
    return alt.X(f"{field}:Q").title(title).scale(nice=False).axis(tickMinStep=1)


def _spaced(longest: int) -> np.ndarray:
    """Return positions from 1 to `longest`, evenly spaced on a logarithmic axis, some twice."""
    return np.array(
        [math.floor(longest ** (step / (STEPS - 1)) + 0.5) for step in range(STEPS)], dtype=np.int64
    )


def _two_digits(value: float) -> float:
    return float(f"{max(value, LEAST):.2g}")
