"""Pictures of each encoding, with sliders that need no kernel.

Every number is computed here by the library's own code. What a slider can reach is computed
beforehand, one row a setting with its curve as a list, and the page unfolds the row it needs.
"""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import pandas as pd
import torch

from positions.book.charts import colour
from positions.book.pictures.sliders import Picture, axis, choice, short, slider, unfold
from positions.encodings import build
from positions.encodings.alibi import slopes
from positions.encodings.rotary import turns
from positions.encodings.sinusoidal import sinusoid
from positions.encodings.t5 import bucket

WIDTH = 560


def counting(length: int = 64) -> Picture:
    """NoPE: how much of the first token reaches token t, with the causal mask and without it."""
    rows = []
    for preference in range(7):
        logits = torch.zeros(1, 1, length, length)
        logits[..., 0] = preference
        mask = torch.ones(length, length).tril().bool()
        causal = logits.masked_fill(~mask, -torch.inf).softmax(-1)[0, 0, :, 0]
        free = logits.softmax(-1)[0, 0, :, 0]
        rows.append({"preference": preference, "mask": "causal mask", "share": short(causal)})
        rows.append({"preference": preference, "mask": "no mask", "share": short(free)})
    preferences = slider("preference", 0, 6, 0, "logit of the first token ")
    curves, numbers = unfold(rows, "share", "token", 1, preferences)
    encoded = curves.encode(
        x=axis("token", "token t"),
        y=alt.Y("share:Q").title("share of the first token").scale(domain=[0, 1]),
        color=alt.Color("mask:N")
        .title(None)
        .scale(domain=["causal mask", "no mask"], range=[colour("nope"), "#858585"]),
        tooltip=[alt.Tooltip("mask:N"), "token:Q", alt.Tooltip("share:Q", format=".3f")],
    )
    layers = alt.layer(encoded.mark_line(), encoded.mark_point(size=20, opacity=1))
    description = (
        "Share of the first token that reaches token t. With the causal mask it falls as 1/t; "
        "without a mask it is the same for every token. A slider raises the first token's "
        "logit."
    )
    return Picture(layers.properties(width=WIDTH, height=260), description, numbers)


def waves(positions: int = 64, width: int = 32) -> Picture:
    """Sinusoids: the table itself, position by entry, by base and layout."""
    rows = []
    for exponent in range(1, 6):
        table = sinusoid(torch.arange(positions), width, base=10.0**exponent)
        for entry, wave in enumerate(table.T):
            rows.append({"exponent": exponent, "entry": entry, "value": short(wave, 2)})
    bases = slider("exponent", 1, 5, 4, "base 10^")
    layout = choice("layout", "interleaved", "concatenated")
    block = f"floor(datum.entry / 2) + datum.entry % 2 * {width // 2}"
    cells, numbers = unfold(rows, "value", "position", 0, bases)
    chart = (
        cells.transform_calculate(column=f"layout == 'interleaved' ? datum.entry : {block}")
        .mark_rect()
        .encode(
            x=alt.X("column:O").title("entry").axis(labels=False, ticks=False),
            y=alt.Y("position:O").axis(values=list(range(0, positions, 8)), ticks=False),
            color=alt.Color("value:Q").scale(scheme="blueorange", domain=[-1, 1]),
            tooltip=["position:Q", "entry:Q", "value:Q"],
        )
        .add_params(layout)
        .properties(width=WIDTH, height=320)
    )
    description = (
        "Heat map of the sinusoidal table, positions by entries. Entries on the left change "
        "sign every few positions, those on the right hardly at all. A slider sets the base, "
        "buttons the layout."
    )
    return Picture(chart, description, numbers)


def products(reach: int = 128) -> Picture:
    """Sinusoids: the dot product of two positions by their distance, by width and base."""
    rows = []
    for doublings in range(3, 10):
        for exponent in range(1, 6):
            table = sinusoid(torch.arange(reach + 1), 2**doublings, base=10.0**exponent)
            score = table @ table[0] / (table[0] @ table[0])
            rows.append({"doublings": doublings, "exponent": exponent, "score": short(score)})
    widths = slider("doublings", 3, 9, 6, "width 2^")
    bases = slider("exponent", 1, 5, 4, "base 10^")
    title = alt.Title(
        alt.ExprRef("'width ' + pow(2, doublings) + ', base ' + format(pow(10, exponent), ',')")
    )
    curve, numbers = unfold(rows, "score", "distance", 0, widths, bases)
    chart = (
        curve.mark_line(color=colour("sinusoidal"))
        .encode(
            x=axis("distance", "distance between two positions"),
            y=alt.Y("score:Q").title("dot product, 1 at distance 0").scale(domain=[-0.4, 1]),
            tooltip=["distance:Q", alt.Tooltip("score:Q", format=".3f")],
        )
        .properties(width=WIDTH, height=260, title=title)
    )
    description = (
        "Dot product of two sinusoidal positions by their distance: it starts at 1 and falls "
        "in ripples. Sliders set the width and the base."
    )
    return Picture(chart, description, numbers)


def likeness(positions: int = 64, width: int = 64, seed: int = 0) -> Picture:
    """Learned: how alike one position's row is to all others, before any training."""
    torch.manual_seed(seed)
    fresh = build("learned", width=width, heads=1, max_length=positions)
    ids = torch.arange(positions)[None]
    nothing = torch.zeros(1, positions, width)
    tables = {
        "learned, at its start": fresh.embed(nothing, ids)[0].detach(),
        "sinusoidal": sinusoid(ids[0], width),
    }
    rows = []
    for name, table in tables.items():
        unit = torch.nn.functional.normalize(table, dim=-1)
        for position, cosines in enumerate(unit @ unit.T):
            rows.append({"row": position, "table": name, "cosine": short(cosines, 2)})
    chosen = slider("row", 0, positions - 1, 20, "position i ")
    curves, numbers = unfold(rows, "cosine", "position", 0, chosen)
    chart = (
        curves.mark_line()
        .encode(
            x=axis("position", "position j"),
            y=alt.Y("cosine:Q").title("cosine of rows i and j").scale(domain=[-0.5, 1]),
            color=alt.Color("table:N")
            .title(None)
            .scale(domain=list(tables), range=[colour("learned"), colour("sinusoidal")]),
            tooltip=["table:N", "position:Q", "cosine:Q"],
        )
        .properties(width=WIDTH, height=260)
    )
    description = (
        "Cosine between the row of one position and all rows. The sinusoid peaks at the "
        "position and falls off around it; a fresh learned table is noise except at the "
        "position itself."
    )
    return Picture(chart, description, numbers)


def staircase(reach: int = 256) -> Picture:
    """T5: the bucket of each distance, by number of buckets, reach and direction."""
    distance = torch.arange(-reach, reach + 1)
    rows = []
    for doublings in range(3, 7):
        for far in range(6, 11):
            for direction in ("causal", "both ways"):
                steps = bucket(distance, 2**doublings, 2**far, direction == "both ways")
                setting = {"doublings": doublings, "far": far, "direction": direction}
                rows.append({**setting, "bucket": steps.tolist()})
    counts = slider("doublings", 3, 6, 5, "buckets 2^")
    reaches = slider("far", 6, 10, 7, "max. distance 2^")
    directions = choice("direction", "causal", "both ways")
    title = alt.Title(alt.ExprRef("pow(2, doublings) + ' buckets, max. distance ' + pow(2, far)"))
    curve, numbers = unfold(rows, "bucket", "distance", -reach, counts, reaches, directions)
    chart = (
        curve.mark_line(interpolate="step-after", color=colour("t5"))
        .encode(
            x=axis("distance", "distance i - j (left of 0 the key lies ahead)"),
            y=alt.Y("bucket:Q").title("bucket"),
            tooltip=["distance:Q", "bucket:Q"],
        )
        .properties(width=WIDTH, height=260, title=title)
    )
    description = (
        "T5's bucket by distance: single steps up to half of the buckets, then ever wider "
        "ones. Sliders set the number of buckets and the largest distance, buttons one or two "
        "directions."
    )
    return Picture(chart, description, numbers)


def penalties(most: int = 16, reach: int = 64) -> Picture:
    """ALiBi: each head's line of penalties, and its slope, by number of heads."""
    rows = [
        {"heads": heads, "head": number + 1, "slope": slope, "distance": distance}
        | {"bias": -slope * distance}
        for heads in range(1, most + 1)
        for number, slope in enumerate(slopes(heads))
        for distance in (0, reach)
    ]
    counts = slider("heads", 1, most, 8, "heads ")
    frame = pd.DataFrame(rows)
    base = alt.Chart(frame).transform_filter("datum.heads == heads")
    orange = colour("alibi")
    lines = base.mark_line(color=orange, clip=True, strokeWidth=2).encode(
        x=axis("distance", "distance i - j"),
        y=alt.Y("bias:Q").title("added to the logit").scale(domain=[-16, 0]),
        detail="head:N",
        opacity=alt.Opacity("slope:Q").legend(None).scale(type="log", range=[0.35, 1]),
        tooltip=["head:O", alt.Tooltip("slope:Q", format=".4f")],
    )
    points = (
        base.transform_filter("datum.distance == 0")
        .mark_point(color=orange, opacity=1)
        .encode(
            x=alt.X("head:O").title("head").axis(labelAngle=0, labelOverlap=True),
            y=alt.Y("slope:Q").title("slope").scale(type="log", base=2).axis(format=".3f"),
            tooltip=["head:O", alt.Tooltip("slope:Q", format=".4f")],
        )
    )
    sides = [lines.properties(width=270, height=260), points.properties(width=220, height=260)]
    chosen = frame[(frame["heads"] == 8) & (frame["distance"] == reach)]
    description = (
        "Left: what ALiBi adds to the logit, one falling line a head. Right: the slope of each "
        "head on a logarithmic scale. A slider sets the number of heads."
    )
    return Picture(
        alt.hconcat(*sides).add_params(counts), description, chosen.reset_index(drop=True)
    )


def hands(head_width: int = 8) -> Picture:
    """Rotary: each pair of a query and of a key as the hand of a clock."""
    cosines, sines = turns(torch.tensor([[1]]), head_width)
    start = 12
    angles = torch.atan2(sines, cosines).flatten().tolist()
    frame = pd.DataFrame(
        [
            {"pair": f"pair {pair}: {angle:.3g} a token", "angle": angle, "hand": hand}
            for pair, angle in enumerate(angles)
            for hand in ("query", "key")
        ]
    )
    key = slider("key", 0, 100, 10, "position of the key ")
    distance = slider("distance", 0, 60, start, "distance to the query ")
    place = "(datum.hand == 'key' ? key : key + distance)"
    domain = alt.Scale(domain=[-1.15, 1.15])
    centre: dict[str, Any] = {
        "x": alt.X("zero:Q").axis(None).scale(domain),
        "y": alt.Y("zero:Q").axis(None).scale(domain),
    }
    size = (140 / 1.15) ** 2  # a circle of radius 1
    face = alt.Chart().mark_point(shape="circle", size=size, filled=False, color="#858585")
    hand = (
        alt.Chart()
        .transform_calculate(x=f"cos({place} * datum.angle)", y=f"sin({place} * datum.angle)")
        .mark_rule(strokeWidth=4)
        .encode(
            **centre,
            x2="x:Q",
            y2="y:Q",
            color=alt.Color("hand:N")
            .title(None)
            .legend(orient="top")
            .scale(domain=["query", "key"], range=[colour("rotary"), "#858585"]),
        )
    )
    product = (
        alt.Chart()
        .transform_filter("datum.hand == 'query'")
        .transform_calculate(product="'product ' + format(cos(distance * datum.angle), '.2f')")
        .mark_text(dy=84, fontSize=13)
        .encode(**centre, text="product:N")
    )
    chart = (
        alt.layer(face.encode(**centre), hand, product, data=frame)
        .transform_calculate(zero="0")
        .properties(width=140, height=140)
        .facet(facet=alt.Facet("pair:N").title(None), columns=4)
        .add_params(key, distance)
    )
    numbers = pd.DataFrame({"pair": range(len(angles)), "angle a token": angles})
    numbers["distance"] = start
    numbers["product"] = [math.cos(start * angle) for angle in angles]
    description = (
        "Four clocks, one for each pair of entries, with a hand for query and key. Moving both "
        "leaves the angle between the hands as it is; moving them apart turns fast pairs most."
    )
    return Picture(chart, description, numbers)


def fading(head_width: int = 64, reach: int = 256) -> Picture:
    """Rotary: the score of equal queries and keys by distance, by base and fraction."""
    ids = torch.arange(reach + 1)[None]
    ones = torch.ones(1, 1, reach + 1, head_width)
    rows = []
    for exponent in range(2, 7):
        for quarters in range(1, 5):
            sizes = {"width": head_width, "heads": 1, "max_length": reach + 1}
            rotary = build("rotary", **sizes, fraction=quarters / 4, base=10.0**exponent)
            q, k = rotary.rotate(ones, ones, ids, ids)
            score = q[0, 0] @ k[0, 0, 0] / head_width
            rows.append({"exponent": exponent, "percent": 25 * quarters, "score": short(score)})
    bases = slider("exponent", 2, 6, 4, "base 10^")
    parts = slider("percent", 25, 100, 100, "part of the head that turns, % ", step=25)
    curve, numbers = unfold(rows, "score", "distance", 0, bases, parts)
    chart = (
        curve.mark_line(color=colour("rotary"))
        .encode(
            x=axis("distance", "distance i - j"),
            y=alt.Y("score:Q").title("score, 1 at distance 0").scale(domain=[-0.4, 1]),
            tooltip=["distance:Q", alt.Tooltip("score:Q", format=".3f")],
        )
        .properties(width=WIDTH, height=260)
    )
    description = (
        "Score of a query and a key with equal entries by their distance, 1 at distance 0, "
        "falling in ripples. Sliders set the base and the part of the head that turns."
    )
    return Picture(chart, description, numbers)
