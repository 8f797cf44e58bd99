"""Where NoPE is ahead of another encoding, task by task, paired by seed."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.analysis.statistics import interval, paired_difference
from positions.book import charts
from positions.book.pictures.length import paper
from positions.book.pictures.length.names import encoding, many, span, tasks
from positions.book.pictures.length.study import Study
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, menu

COUNTS = 0.05
"""The smallest difference in exact match that counts: about the noise of three seeds."""
OPEN, THEIRS = "#858585", "#0797ff"
FIRST = "nope"


def table(study: Study, rival: str) -> pd.DataFrame:
    """Return task, lead, low, high, seeds, published, and who leads, one row a task.

    `lead`: exact match of NoPE minus that of the rival beyond the training lengths, the mean over
    seeds in which both have learned the task; NaN where there are none, and then nobody leads.
    Else somebody does where the lead is at least `COUNTS` and its interval leaves zero out.
    """
    runs = study.of(FIRST, rival)
    runs = runs.assign(accuracy=runs["accuracy"].where(runs["learned"]))
    wide = runs.pivot(index=["task", "seed"], columns="variant", values="accuracy")
    wide = wide.reindex(columns=[FIRST, rival]).dropna()
    theirs = paper.scores(study.tasks).groupby(["variant", "task"])["accuracy"].mean()
    rows = []
    for name in study.tasks:
        pairs = wide[wide.index.get_level_values("task") == name]
        known = {FIRST, rival} <= set(theirs[:, name].index) if name in theirs[FIRST] else False
        row: dict[str, object] = {"task": name, "seeds": len(pairs), "leads": "undecided"}
        row["published"] = theirs[FIRST, name] - theirs[rival, name] if known else None
        if len(pairs):
            gap = paired_difference(pairs[FIRST], pairs[rival])
            row |= {"lead": gap.mean, "low": gap.low, "high": gap.high}
            if abs(gap.mean) >= COUNTS and not (gap.low <= 0 <= gap.high) and gap.n > 1:
                row["leads"] = FIRST if gap.mean > 0 else rival
        rows.append(row)
    columns = ["task", "lead", "low", "high", "seeds", "published", "leads"]
    return pd.DataFrame(rows).reindex(columns=columns)


def chart(study: Study) -> Picture | Note:
    """Draw the lead of NoPE over a rival that the reader chooses."""
    rivals = [name for name in study.variants if name != FIRST]
    if FIRST not in study.variants or not rivals or not len(study.of(FIRST)):
        return Note("For NoPE's lead it takes recorded runs of NoPE and of another encoding.")
    rivals.sort(key=["t5", *rivals].index)
    tables = {name: table(study, name) for name in rivals}
    frame = pd.concat([_long(part).assign(rival=name) for name, part in tables.items()])
    colours = {FIRST: charts.colour(FIRST), "undecided": OPEN, "published": THEIRS}
    colours |= {name: charts.colour(name) for name in rivals}
    leads_rival = menu("leads_rival", {name: encoding(name) for name in rivals}, "NoPE minus")
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    shape = alt.Scale(domain=["ours", "published"], range=["circle", "diamond"])
    base = (
        alt.Chart(frame)
        .transform_filter("datum.rival == leads_rival")
        .encode(
            alt.Y("task:N").sort(list(study.tasks)).title(None).axis(offset=8),
            alt.Color("leads:N").scale(scale).legend(None),
            alt.YOffset("runs:N"),
        )
    )
    x = alt.X("value:Q").title("exact match: NoPE minus the other").scale(domain=[-1, 1])
    ranges = base.mark_rule(strokeWidth=4, opacity=0.5).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        x,
        alt.Shape("runs:N").scale(shape).title(None),
        tooltip=[
            "task:N",
            "runs:N",
            alt.Tooltip("value:Q", title="lead of NoPE", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "leads:N",
            "seeds:Q",
        ],
    )
    zero = (
        alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[3, 3]).encode(x=alt.datum(0))
    )
    return Picture(
        (zero + ranges + dots)
        .properties(width=430, height=alt.Step(24, **{"for": "position"}))
        .add_params(leads_rival)
        .configure_legend(orient="top", symbolOpacity=1, symbolFillColor=OPEN),
        "How much more NoPE solves beyond the training lengths than another encoding, for each "
        "task: the mean over seeds with a 95 % interval, and the published difference. Purple: "
        "NoPE leads; the other's colour: it leads; grey: undecided.",
        tables[rivals[0]],
    )


def against(study: Study, rival: str = "t5") -> str:
    """Say on which tasks NoPE leads a rival, on which it trails, and what is open."""
    if FIRST not in study.variants or rival not in study.variants:
        return f"This takes runs of NoPE and of {encoding(rival)}."
    found = table(study, rival)
    compared = found[found["seeds"] > 0]
    if not len(compared):
        return f"NoPE and {encoding(rival)} have no task yet that both have learned."
    gap = interval(compared["lead"].astype(float))
    over = "" if gap.n == 1 else f" ({span(gap.low, gap.high)} over tasks)"
    lead = f"{abs(gap.mean):.2f} {'less' if gap.mean < 0 else 'more'} than"
    if lead.startswith("0.00"):
        lead = "as much as"
    said = f"Over {many(gap.n, 'task')} NoPE solves {lead} {encoding(rival)} in the mean{over}. "
    if compared["seeds"].max() == 1:
        said += "With one seed a task, which of them leads on single tasks is left open. "
    else:
        ahead, behind, open_ = (
            list(compared[compared["leads"] == who]["task"]) for who in (FIRST, rival, "undecided")
        )
        apart = f"; on {_told(open_)} they cannot be told apart" if open_ else ""
        said += f"NoPE leads on {_told(ahead)}, {encoding(rival)} on {_told(behind)}{apart}. "
    beyond = compared[~compared["task"].isin(study.guessed(FIRST, rival))]
    known = beyond.dropna(subset="published")
    same = int((known["lead"] * known["published"] > 0).sum())
    if len(known):
        said += (
            f"Of {many(len(known), 'task')} on which one of them is beyond chance, {same} "
            f"{'has' if same == 1 else 'have'} a difference of the published sign."
        )
    else:
        said += "There is no task on which one of them is beyond chance."
    lacking = found[found["seeds"] == 0]
    if len(lacking):
        names = tasks(lacking["task"])
        said += f" Not compared, for want of runs that have learned the task: {names}."
    return said


def _long(found: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each figure that is drawn: ours, and the published one."""
    ours = found.rename(columns={"lead": "value"}).assign(runs="ours")
    theirs = found[["task", "published"]].rename(columns={"published": "value"})
    both = pd.concat([ours, theirs.assign(runs="published", leads="published")])
    numbers = ["value", "low", "high"]
    both[numbers] = both[numbers].astype(float).round(4)
    kept = both.dropna(subset="value")
    return kept[["task", "runs", *numbers, "leads", "seeds"]]


def _told(names: list[str]) -> str:
    return f"{many(len(names), 'task')} ({tasks(names)})" if names else "no task"
