"""SCAN and PCFG SET seen from their grammars: which commands there are, and what they come to."""

from __future__ import annotations

from collections import Counter

import altair as alt
import pandas as pd

from positions.book.pictures.sliders import Picture, axis
from positions.book.pictures.tasks.charts import COLOURS, WIDTH
from positions.tasks.pcfg_language import BINARY, UNARY, interpret
from positions.tasks.scan import commands

OFFICIAL, PAPER = 22, 25
"""The most actions of a training command: as SCAN was published, and as the paper re-cut it."""
PARTS = ("training in both", "SCAN's test, the paper's training", "test in both")
WORDS = ("opposite", "around", "twice", "thrice", "and", "after")


def scan_cuts() -> Picture:
    """Draw how many of SCAN's commands ask for so many actions, coloured by the two cuts."""
    counted = Counter(len(actions) for actions in commands().values())
    frame = pd.DataFrame(sorted(counted.items()), columns=["actions", "commands"])
    edges = [0, OFFICIAL, PAPER, max(counted)]
    frame["part"] = pd.cut(frame["actions"], edges, labels=list(PARTS)).astype(str)
    shades = ["#858585", "#0797ff", COLOURS["classic"]]
    chart = (
        alt.Chart(frame)
        .mark_bar(size=8)
        .encode(
            axis("actions", "actions"),
            alt.Y("commands:Q"),
            alt.Color("part:N")
            .sort(list(PARTS))
            .scale(domain=list(PARTS), range=shades)
            .title(None),
            tooltip=["actions:Q", "commands:Q", "part:N"],
        )
        .properties(width=WIDTH, height=240)
        .configure_legend(orient="top", labelLimit=300)
    )
    return Picture(
        chart,
        "Commands of SCAN by number of actions, from 1 to 48, with gaps. Three colours: training "
        "in both splits, moved from test to training by the paper, and test in both.",
        frame,
    )


def scan_words() -> pd.DataFrame:
    """Return which share of commands holds a word, up to the paper's cut and beyond it."""
    shares = {}
    for word in WORDS:
        holds = {text: word in text.split() for text in commands()}
        short, long = (
            [holds[text] for text, actions in commands().items() if (len(actions) > PAPER) is past]
            for past in (False, True)
        )
        shares[word] = {
            f"up to {PAPER} actions": f"{100 * sum(short) / len(short):.0f} %",
            f"more than {PAPER}": f"{100 * sum(long) / len(long):.0f} %",
        }
    return pd.DataFrame(shares).T


def pcfg_functions() -> pd.DataFrame:
    """Return what each function of PCFG SET makes of a small command."""
    small = [f"{name} A1 B2 C3" for name in UNARY] + [f"{name} A1 B2 , C3" for name in BINARY]
    return pd.DataFrame({"command": small, "result": [" ".join(interpret(each)) for each in small]})
