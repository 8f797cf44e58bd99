"""Where accuracy begins and ends: what guessing gets, and what decoding cannot reach."""

from __future__ import annotations

from collections import Counter

import altair as alt

from positions import published
from positions.book.charts import colour
from positions.book.pictures.sliders import Picture, axis, short, slider, unfold
from positions.book.pictures.tasks.charts import COLOURS, WIDTH
from positions.tasks import DATA_SEED, build

CEILING = "0.99^ℓ"


def answers(most: int = 16, size: int = 5_000, seed: int = DATA_SEED) -> Picture:
    """Draw how often each answer of polynomial comes, by number of terms; a slider sets it."""
    rows = []
    for terms in range(1, most + 1):
        task = build("polynomial", shortest=terms, longest=terms)
        found = Counter(each.answer for each in task.examples("train", seed, size))
        share = short(found[str(digit)] / size for digit in range(10))
        rows.append({"terms": terms, "share": share})
    bars, numbers = unfold(rows, "share", "answer", 0, slider("terms", 1, most, 1, "terms "))
    base = bars.encode(
        x=alt.X("answer:O").axis(labelAngle=0),
        y=alt.Y("share:Q").axis(format="%").scale(domain=[0, 0.5]),
        tooltip=["answer:O", alt.Tooltip("share:Q", format=".1%")],
    )
    even = alt.Chart().mark_rule(strokeDash=[4, 4], color="#858585").encode(y=alt.datum(0.1))
    chart = base.mark_bar(color=COLOURS["mathematical"]) + even
    return Picture(
        chart.properties(width=WIDTH, height=240),
        "Share of each answer from 0 to 9 among polynomials of as many terms as the slider says. "
        "With one term the answer is 0 far more often than one time in ten; with many terms all "
        "answers come nearly equally often.",
        numbers,
    )


def ceiling() -> Picture:
    """Draw the published accuracies of copying a list by its length, and the ceiling 0.99^ℓ."""
    runs = published.load("length-generalization/accuracy_by_length_seed")
    runs = runs[(runs["task"] == "copy_v3_multi") & (runs["scratchpad"] == "none")]
    runs = runs.assign(length=runs["length"].astype(int)).rename(columns={"pe": "encoding"})
    runs["encoding"] = runs["encoding"].replace("ape", "sinusoidal")
    wide = runs.pivot_table(index="length", columns="encoding", values="accuracy").round(4)
    encodings = list(wide.columns)
    wide[CEILING] = [round(0.99**length, 4) for length in wide.index]
    frame = wide.melt(var_name="encoding", value_name="accuracy", ignore_index=False).reset_index()
    shades = alt.Scale(domain=[*encodings, CEILING], range=[*map(colour, encodings), "#858585"])
    dashes = alt.Scale(domain=[*encodings, CEILING], range=[[1, 0]] * len(encodings) + [[5, 4]])
    lines = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2)
        .encode(
            axis("length", "items of the list"),
            alt.Y("accuracy:Q").title("accuracy in the authors' logs").scale(domain=[0, 1]),
            alt.Color("encoding:N").scale(shades).title(None),
            alt.StrokeDash("encoding:N").scale(dashes).title(None),
            tooltip=["encoding:N", "length:Q", alt.Tooltip("accuracy:Q", format=".3f")],
        )
    )
    return Picture(
        lines.properties(width=WIDTH, height=260).configure_legend(orient="top"),
        "Accuracy of copying a list by its length in the authors' logs, one line an encoding, and "
        "a dashed curve, 0.99 to the power of the length. Up to length 20 all encodings lie on it.",
        wide.reset_index().rename_axis(columns=None),
    )
