"""Theorem 2 in pictures: what position adds to logits, and what other functions would take."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd
import torch

from positions.analysis.rows import Array
from positions.analysis.theory import distances, relative
from positions.analysis.theory.decoder import layers, projections, texts
from positions.book.charts import colour
from positions.book.pictures.sliders import Picture, axis, choice, unfold
from positions.book.pictures.theory.shared import HEIGHT, WIDTH, colours
from positions.encodings import build
from positions.encodings.t5 import bucket
from positions.model import LanguageModel, Trace


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
    base = alt.Chart(frame).encode(axis("distance", "distance t - i"))
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
            axis("entries", "entries of a head"),
            alt.Y("error:Q").title("root mean square error").scale(domain=[0, 1]),
            colours("period", periods).title("longest wave"),
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


def _position_part(model: LanguageModel, tokens: torch.Tensor) -> Array:
    """Return what the first two entries of each head of layer 2 add, (heads, queries, keys)."""
    trace = Trace()
    with torch.no_grad():
        model.transformer(tokens, trace=trace)
        x = layers(model)[1].attention_norm(trace.states[1])[0]
        q, k, _ = (weight[:, :2] @ x.T for weight in projections(model, 1))
        return np.asarray(q.mT @ k * model.config.scale)


def _functions(longest: int, draws: int) -> dict[str, list[Array]]:
    """Return functions of distance 0 to `longest` - 1, some drawn several times."""
    n = np.arange(longest, dtype=np.float64)
    rng = np.random.default_rng(0)
    buckets = bucket(torch.arange(longest)).numpy()
    return {
        "T5's buckets": [rng.standard_normal(32)[buckets] for _ in range(draws)],
        "any numbers": [rng.standard_normal(longest) for _ in range(draws)],
        "logarithm": [_standard(-np.log1p(n))],
        "line": [_standard(-1.0 * n)],
    }


def _standard(values: Array) -> Array:
    return np.asarray((values - values.mean()) / values.std())


def _mean_rmse(several: Iterable[Array], terms: int, period: int) -> float:
    return float(
        np.mean(
            [
                distances.rmse(distances.by_waves(values, terms, period), values)
                for values in several
            ]
        )
    )
