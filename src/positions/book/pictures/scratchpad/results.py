"""What is solved beyond the training lengths, by task, format and encoding, beside the paper's."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.book.pictures.length.glance import ENOUGH, SHORT, SLANTED
from positions.book.pictures.length.leads import COUNTS
from positions.book.pictures.length.study import LEARNED, chance
from positions.book.pictures.scratchpad import paper
from positions.book.pictures.scratchpad.study import Study
from positions.book.pictures.sliders import Picture, menu
from positions.experiments.scratchpad.readings import label, merged, order

OURS, THEIRS = "ours", "published"


def table(study: Study) -> pd.DataFrame:
    """Return whose, task, format, variant, accuracy, iid, seeds: means over seeds.

    Both formats that the paper does not tell apart stand in ours by themselves and together.
    """
    runs = study.runs
    both = merged(runs)
    ours = pd.concat([runs, both[~both["format"].isin(set(runs["format"]))]])
    parts = [ours.assign(whose=OURS), paper.accuracy().assign(whose=THEIRS)]
    every = pd.concat([part.astype(object) for part in parts if len(part)], ignore_index=True)
    every = every[every["task"].isin(list(study.tasks)) & every["variant"].isin(study.variants)]
    every = every.reindex(columns=["whose", "task", "format", "variant", "seed", "accuracy", "iid"])
    numbers = every.astype({"accuracy": float, "iid": float})
    by = numbers.groupby(["whose", "task", "format", "variant"], sort=False)
    found = by.agg(accuracy=("accuracy", "mean"), iid=("iid", "mean"), seeds=("seed", "size"))
    return found.reset_index()


def chart(study: Study) -> Picture:
    """Draw accuracy beyond the training lengths, a row a format and a column an encoding."""
    frame = table(study)
    least = 0.0 if study.preset == "smoke" else LEARNED
    frame["learned"] = (frame["whose"] == THEIRS) | (frame["iid"] >= least)
    counted = frame["accuracy"].where(frame["learned"])
    best = counted.groupby([frame[name] for name in ("whose", "task", "variant")]).transform("max")
    frame["best"] = (counted == best) & (best >= frame["task"].map(chance) + COUNTS)
    frame["percent"] = [None if pd.isna(it) else round(100 * it, 1) for it in frame["accuracy"]]
    here = set(frame["task"])
    names = [*study.recorded(), *study.tasks]  # what is recorded can be compared
    pick = menu(
        "results_task", {name: name for name in dict.fromkeys(names) if name in here}, "task"
    )
    rows = frame.assign(format=frame["format"].map(label))
    rows = rows[["whose", "task", "format", "variant", "percent", "learned", "best"]]
    base = alt.Chart().encode(
        alt.X("variant:N").sort(list(study.variants)).title(None).axis(**SLANTED),
        alt.Y("format:N")
        .sort([label(name) for name in order(frame["format"])])
        .title(None)
        .axis(domain=False, ticks=False),
        tooltip=["format:N", "variant:N", "percent:Q", "learned:N"],
    )
    colour = alt.condition("datum.learned", alt.value(ENOUGH), alt.value(SHORT))
    opacity = alt.Opacity("percent:Q").scale(domain=[0, 100], range=[0.04, 0.5]).legend(None)
    cells = base.mark_rect(cornerRadius=2).encode(color=colour, opacity=opacity)
    frames = base.transform_filter("datum.best").mark_rect(
        fillOpacity=0, stroke=ENOUGH, strokeWidth=2, cornerRadius=2
    )
    texts = base.mark_text(fontSize=12).encode(alt.Text("percent:Q", format=".0f"))
    whose = [name for name in (OURS, THEIRS) if name in set(frame["whose"])]
    panels = alt.layer(cells, frames, texts).properties(width=34 * len(study.variants), height=220)
    drawn = panels.facet(alt.Facet("whose:N").sort(whose).title(None), data=rows, columns=2)
    wide = frame.pivot_table(
        index=["task", "format", "whose"], columns="variant", values="percent", sort=False
    )
    columns = [name for name in study.variants if name in wide]
    return Picture(
        drawn.add_params(pick).transform_filter("datum.task == results_task"),
        "Right answers beyond the training lengths in percent, mean over seeds: a row a format of "
        "the scratchpad, a column an encoding, ours beside the published. The best format of each "
        "encoding is framed where it is beyond chance; ours that have not learned the training "
        "lengths are grey. A menu chooses the task.",
        wide[columns].reset_index().rename_axis(columns=None),
    )
