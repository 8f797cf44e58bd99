"""What the recorded runs say over all tasks: who wins how many, and how far anyone gets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from positions.book.pictures.length import options, paper, ranks
from positions.book.pictures.length.curves import by_seed
from positions.book.pictures.length.names import encoding, listed, many
from positions.book.pictures.length.study import Study, chance
from positions.book.pictures.verdicts import count
from positions.claims import Verdict
from positions.claims.length_readings import BEYOND

HALF = 0.5


def said(study: Study, verdicts: Iterable[Verdict]) -> str:
    """Answer the chapter's questions from the runs and the verdicts: a list in Markdown."""
    answers = {
        "Who goes furthest?": ranks.leader(study),
        "On which tasks?": winners(study),
        "How far?": f"{means(study)} {reach(study)}",
        "Which Rotary?": options.of_rotaries(study),
        "How sure?": f"By the rules of this book, {count(verdicts)}",
    }
    return "\n".join(f"- **{question}** {answer}" for question, answer in answers.items())


def winners(study: Study) -> str:
    """Say which of the paper's encodings is best on how many tasks, in our runs and published."""
    variants = study.paper()
    if len(variants) < 2:
        return "No task is won: that takes two of the paper's five encodings."
    published = paper.scores(study.tasks)
    published = published[published["variant"].isin(variants)]
    ours, theirs = (_wins(each, variants) for each in (study.counted(*variants), published))
    if not len(ours):
        return (
            "No task is won yet: that takes runs of all encodings, and one that gets "
            f"{BEYOND} beyond chance."
        )
    return (
        f"Best by mean exact match beyond the training lengths, among {_counted(ours)}. "
        f"Published, among {_counted(theirs)}. Left out are tasks on which nobody gets "
        f"{BEYOND} beyond chance."
    )


def means(study: Study) -> str:
    """Say how much each encoding solves beyond training lengths, over tasks all have learned."""
    runs = study.of()
    every = runs[runs["learned"]].pivot_table(index="task", columns="variant", values="accuracy")
    every = every.reindex(columns=list(study.variants))
    wide = every.dropna(axis=1, how="all").dropna()
    if not len(wide):
        return "There is no task yet that all encodings have learned."
    mean = wide.mean().sort_values(ascending=False)
    if len(mean) == 1:
        who, solve = f"{encoding(str(mean.index[0]))} has", f"it solves {mean.iloc[0]:.2f}"
    else:
        each = listed(f"{encoding(str(name))} {value:.2f}" for name, value in mean.items())
        who, solve = "all of these have", f"they solve: {each}"
    said = f"Beyond the training lengths, on {many(len(wide), 'task')} that {who} learned, {solve}."
    without = [encoding(str(name)) for name in every if name not in wide]
    return f"{said} Left out, with no task learned: {listed(without)}." if without else said


def reach(study: Study) -> str:
    """Say how many tasks anyone still solves at the longest test length."""
    points = by_seed(study)
    if not len(points):
        return "No run is recorded yet."
    good = study.runs[study.runs["learned"]].groupby(["task", "variant"]).size().index
    points = points[[pair in good for pair in zip(points["task"], points["variant"], strict=True)]]
    if not len(points):
        return "No task has been learned yet."
    last = points[points["length"] == points.groupby("task")["length"].transform("max")]
    tasks = last["task"].nunique()
    half = last[_half(last)].groupby("variant")["task"].nunique()
    order = half.reindex(list(study.variants)).dropna().sort_values(ascending=False, kind="stable")
    solved = listed(f"{encoding(str(name))} {count:.0f}" for name, count in order.items())
    return (
        f"At the longest inputs tested, chance taken off, somebody still solves half on "
        f"{last[_half(last)]['task'].nunique()} of {many(tasks, 'task')}. By encoding: {solved}."
    )


def _wins(runs: pd.DataFrame, variants: Sequence[str]) -> pd.Series:
    """Return how many tasks each encoding is best on, the most first."""
    every = runs.groupby("task")["variant"].nunique()
    runs = runs[runs["task"].isin(every.index[every == len(variants)])].dropna(subset="accuracy")
    means = runs.groupby(["task", "variant"], sort=False)[["accuracy", "chance"]].mean()
    means = means.reset_index()
    best = means.loc[means.groupby("task")["accuracy"].idxmax()] if len(means) else means
    best = best[best["accuracy"] - best["chance"] >= BEYOND - 1e-9]
    wins = best["variant"].value_counts().reindex(list(variants)).dropna()
    return wins.sort_values(ascending=False, kind="stable")


def _half(points: pd.DataFrame) -> pd.Series:
    """Whether half of what chance leaves is solved."""
    guess = points["task"].map(chance)
    return points["mean"] >= guess + HALF * (1 - guess)


def _counted(wins: pd.Series) -> str:
    each = listed(f"{encoding(str(name))} {count:.0f}" for name, count in wins.items())
    return f"{many(wins.sum(), 'task')}: {each}"
