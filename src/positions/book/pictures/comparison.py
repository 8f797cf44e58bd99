"""Encodings side by side: what one query sees under each, and what each costs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

import altair as alt
import pandas as pd
import torch
from torch import Tensor

from positions.book.charts import scale
from positions.book.pictures.sliders import Picture, axis, slider
from positions.encodings import Encoding, build
from positions.errors import InvalidValueError

AT_RANDOM: dict[str, dict[str, Any]] = {"learned": {"std": 1.0}, "t5": {"std": 1.0}}
"""Without training, what an encoding would learn is drawn as large as the embeddings."""

WIDTH, HEADS = 64, 4
PLACES = {
    "positions": "ids",
    "embed": "embeddings",
    "rotate": "queries and keys",
    "bias": "logits",
}


@torch.no_grad()
def attention(encoding: Encoding, x: Tensor, ids: Tensor, seed: int = 0) -> Tensor:
    """Return the attention weights (batch, heads, queries, keys) of one untrained causal layer.

    `x` (batch, length, width), `ids` (batch or 1, length); the maps to queries and keys are random.
    """
    generator = torch.Generator().manual_seed(seed)
    maps = torch.randn(2, encoding.width, encoding.width, generator=generator)
    q, k = encoding.embed(x, ids) @ (maps / math.sqrt(encoding.width))[:, None]
    q, k = (part.unflatten(-1, (encoding.heads, -1)).transpose(1, 2) for part in (q, k))
    bias = encoding.bias(q, k, ids, ids)
    q, k = encoding.rotate(q, k, ids, ids)
    logits = q @ k.mT / math.sqrt(q.shape[-1])
    logits = logits if bias is None else logits + bias
    ahead = torch.ones(logits.shape[-2:]).triu(1).bool()
    return logits.masked_fill(ahead, -torch.inf).softmax(-1)


def seen_by_last(encodings: Iterable[str], seed: int = 0, length: int = 32) -> pd.DataFrame:
    """Return what the last of `length` equal tokens sees, by encoding and by shift of all ids.

    One row an encoding, shift (0, 8, ..., 64) and distance, with the weight in the first head.
    """
    torch.manual_seed(seed)
    x = torch.randn(1, 1, WIDTH).expand(1, length, WIDTH)
    rows = []
    for name in encodings:
        torch.manual_seed(seed)
        sizes = {"width": WIDTH, "heads": HEADS, "max_length": length + 64}
        encoding = build(name, **sizes, **AT_RANDOM.get(name, {}))
        for shift in range(0, 65, 8):
            ids = torch.arange(shift, shift + length)[None]
            weights = attention(encoding, x, ids, seed)[0, 0, -1].flip(0)
            rows += [
                {"encoding": name, "shift": shift, "distance": distance, "weight": round(weight, 4)}
                for distance, weight in enumerate(weights.tolist())
            ]
    return pd.DataFrame(rows)


def one_query(encodings: Iterable[str], seed: int = 0) -> Picture:
    """Draw `seen_by_last`: a panel an encoding, and a slider for the shift."""
    frame = seen_by_last(encodings, seed)
    shift = slider("shift", 0, 64, 0, "shift of all ids ", step=8)
    names = list(frame["encoding"].unique())
    chart = (
        alt.Chart(frame)
        .add_params(shift)
        .transform_filter("datum.shift == shift")
        .mark_bar(size=4)
        .encode(
            x=alt.X("distance:Q").title("distance to the key"),
            y=alt.Y("weight:Q").title("attention"),
            color=alt.Color("encoding:N").scale(scale(names)).legend(None),
            tooltip=["encoding:N", "distance:Q", alt.Tooltip("weight:Q", format=".3f")],
        )
        .properties(width=165, height=120)
        .facet(facet=alt.Facet("encoding:N").title(None).sort(names), columns=3)
    )
    description = (
        "Attention of the last of 32 equal tokens by distance, one panel an encoding. A slider "
        "shifts all ids: encodings of absolute position change, those of distance do not."
    )
    return Picture(chart, description, frame[frame["shift"] == 0].reset_index(drop=True))


@torch.no_grad()
def added(encodings: Iterable[str], reach: int = 64) -> Picture:
    """Draw what encodings add to the logits of a query, by distance: a line a head.

    One that adds nothing is a line at 0. A bias that reads content sees zeros.
    """
    ids = torch.arange(reach + 1)[None]
    content = torch.zeros(1, HEADS, reach + 1, WIDTH // HEADS)
    rows = []
    for name in encodings:
        torch.manual_seed(0)
        sizes = {"width": WIDTH, "heads": HEADS, "max_length": reach + 1}
        bias = build(name, **sizes, **AT_RANDOM.get(name, {})).bias(content, content, ids, ids)
        whole = torch.zeros(1, HEADS, reach + 1, reach + 1) + (0 if bias is None else bias)
        rows += [
            {"encoding": name, "head": head + 1, "distance": distance, "added": round(value, 4)}
            for head in range(HEADS)
            for distance, value in enumerate(whole[0, head, -1].flip(0).tolist())
        ]
    frame = pd.DataFrame(rows)
    names = list(frame["encoding"].unique())
    chart = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2)
        .encode(
            x=axis("distance", "distance to the key"),
            y=alt.Y("added:Q").title("added to the logit"),
            color=alt.Color("encoding:N").title(None).scale(scale(names)),
            detail="head:N",
            tooltip=["encoding:N", "head:O", "distance:Q", alt.Tooltip("added:Q", format=".3f")],
        )
        .properties(width=460, height=240, title="What does each head add?")
        .configure_legend(orient="top", symbolOpacity=1)
    )
    description = (
        f"What {', '.join(names)} add to the attention logits of a query by distance to the key, "
        f"one line for each of {HEADS} heads, before training."
    )
    return Picture(chart, description, frame)


def summary(
    encodings: Iterable[str], width: int = 768, heads: int = 12, length: int = 512
) -> pd.DataFrame:
    """Return one row an encoding, every entry computed from the encoding itself.

    Columns: where it enters; parameters; MB of bias for one row of `length` tokens; milliseconds
    on this machine once a forward pass and once a layer (best of seven); whether attention
    changes when all ids shift; what comes past `max_length` = `length`.
    """
    return pd.DataFrame([_row(name, width, heads, length) for name in encodings])


def _row(name: str, width: int, heads: int, length: int) -> dict[str, object]:
    encoding = build(name, width=width, heads=heads, max_length=length)
    ids = torch.arange(length)[None]
    x = torch.randn(1, length, width)
    q = torch.randn(1, heads, length, width // heads)
    bias = encoding.bias(q, q, ids, ids)
    once = _milliseconds(lambda: (encoding.embed(x, ids), encoding.bias(q, q, ids, ids)))
    logits = torch.zeros(1, heads, length, length)
    layer = _milliseconds(lambda: encoding.rotate(q, q, ids, ids))
    if bias is not None:
        layer += _milliseconds(lambda: logits + bias)
    return {
        "encoding": name,
        "enters": ", ".join(_places(encoding)) or "nowhere",
        "parameters": sum(parameter.numel() for parameter in encoding.parameters()),
        "bias, MB": 0.0 if bias is None else round(bias.nbytes / 1e6, 1),
        "ms once": round(once, 2),
        "ms a layer": round(layer, 2),
        "if all ids shift": "attention changes" if _moves(name) else "nothing changes",
        "past max_length": _past(encoding, length),
    }


def _places(encoding: Encoding) -> list[str]:
    """Return which hooks an encoding overrides."""
    own, base = type(encoding), Encoding
    return [
        place for hook, place in PLACES.items() if getattr(own, hook) is not getattr(base, hook)
    ]


def _moves(name: str) -> bool:
    """Whether the attention of a random layer changes when all ids grow by 8."""
    frame = seen_by_last([name]).pivot_table(index="distance", columns="shift", values="weight")
    return bool((frame[8] - frame[0]).abs().max() > 1e-3)


def _past(encoding: Encoding, length: int) -> str:
    try:
        encoding.embed(torch.zeros(1, 1, encoding.width), torch.tensor([[length]]))
    except InvalidValueError:
        return "error"
    return "goes on"


@torch.no_grad()
def _milliseconds(work: Callable[[], object]) -> float:
    work()
    best = math.inf
    for _ in range(7):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return 1000 * best
