"""Tables to read: what each task asks, examples, lengths, repeats, tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

import pandas as pd
from IPython.display import HTML, Markdown

from positions.book.pictures.tasks.sets import totals
from positions.checks import check_whole
from positions.tasks import Example, Task

TOLD = {
    "copy_v1_repeat": ("one symbol ℓ times: the same", "symbols in the prompt"),
    "copy_v1_repeat_2x": ("one symbol ℓ times: twice as often", "symbols in the prompt"),
    "copy_v2_replace": ("one symbol ℓ times: another, ℓ times", "symbols in the prompt"),
    "copy_v3_multi": ("a list of symbols: the same", "items of the list"),
    "copy_v3_multi_2x": ("a list: the list twice", "items of the list"),
    "reverse_v1": ("a list: backwards", "items of the list"),
    "reverse_v1_2x": ("a list: backwards, twice", "items of the list"),
    "reverse_v2_revcopy": ("a list: backwards, then as it is", "items of the list"),
    "addition": ("two numbers: their sum", "digits of the longer number"),
    "summation": ("digits: their sum modulo 10", "digits"),
    "parity": ("bits: is the number of ones even?", "bits"),
    "sort_single": ("symbols: in an order to be learned", "items of the list"),
    "sort_multi": ("numbers: in ascending order", "numbers, each of 2 to 4 digits"),
    "polynomial": ("a polynomial and x: the value modulo 10", "terms"),
    "lego": ("a chain of signs: the sign of one link", "links of the chain"),
    "scan": ("a command: the actions it asks for", "actions, in the answer"),
    "pcfg": ("nested functions of strings: the result", "functions in the command"),
}
"""What each task gives and asks for, and what its length counts."""

DRAWN = 100
"""Examples of a length that one is taken of, as a length may be reached in many ways."""


def overview(tasks: Iterable[Task]) -> HTML:
    """Return one row a task: what it asks, its lengths, what guessing gets, its vocabulary."""
    rows = [
        (
            _headed(task, 0),
            "<br>".join(
                _span(each[0], each[-1]) for each in (task.training_lengths, task.test_lengths)
            ),
            _percent(task.chance),
            f"{len(task.tokenizer()):,}",
        )
        for task in tasks
    ]
    return _table(("task: what is given, and asked for", "lengths", "chance", "tokens known"), rows)


def examples(tasks: Iterable[Task], length: int, seed: int) -> Markdown:
    """Draw an example of each task, of this length or what comes nearest.

    Raises `InvalidValueError` for a length below 1 or a bad seed.
    """
    check_whole("example_length", length, 1)
    lines = []
    for task in tasks:
        example, kind = _example(task, length, seed)
        lines += [
            f"* **{task.name}**, length {example.length} ({kind})\\",
            f"  `{example.source.strip()}`\\",
            f"  → `{example.target}`",
        ]
    return Markdown("\n".join(lines))


def lengths(tasks: Iterable[Task], counts: pd.DataFrame) -> HTML:
    """Return what length counts in each task, and how it compares with length in tokens.

    The last two columns: which share of the test is longer in tokens than 99 % of the training
    set, and than all of it.
    """
    sums = totals(counts).to_dict("index")
    rows = []
    for task in tasks:
        train, test = sums[task.name, "train"], sums[task.name, "test"]
        rows.append(
            (
                _headed(task, 1),
                "<br>".join(_span(each["fewest"], each["most"]) for each in (train, test)),
                escape(_percent(test["past_nearly_all"] / test["examples"])),
                escape(_percent(test["past_all"] / test["examples"])),
            )
        )
    return _table(("task: what length counts", "tokens", "past 99 %", "past all"), rows)


def repeats(counts: pd.DataFrame) -> pd.DataFrame:
    """Return which lengths a survey's sets have, and how many of their prompts are different."""
    sums = totals(counts).to_dict("index")
    rows = {}
    for name, part in counts.groupby("task", sort=False):
        train, validation = sums[name, "train"], sums[name, "validation"]
        spans = part.groupby("split")["length"].agg(["min", "max"])
        rows[name] = {
            "trained on": _span(*spans.loc["train"]),
            "tested on": _span(*spans.loc["test"]),
            "examples": f"{train['examples']:,}",
            "different": f"{train['different']:,}",
            "validation seen": _percent(validation["seen"] / validation["examples"]),
        }
    return pd.DataFrame(rows).T


def shortest(tasks: Iterable[Task], counts: pd.DataFrame) -> pd.DataFrame:
    """Return how many prompts exist at the shortest training length, and how many are drawn."""
    rows = {}
    for task in tasks:
        drawn = counts[(counts["task"] == task.name) & (counts["split"] == "train")]
        first = drawn.sort_values("length").iloc[0]
        rows[task.name] = {
            "length": first["length"],
            "exist": f"{task.existing(task.bins('train')[0]):,}",
            "drawn for training": f"{first['examples']:,}",
            "different": f"{first['different']:,}",
        }
    return pd.DataFrame(rows).T


def overhead(counts: pd.DataFrame) -> pd.DataFrame:
    """Return how many tokens training takes with the own tokenizer and with T5's pieces.

    A row a task whose pieces are known: the tokens as a formula of the length, where that is exact
    in training and test, and the fewest and the most in the training set.
    """
    known = counts[counts["paper_most"].notna()]
    rows = {}
    for name, part in known.groupby("task", sort=False):
        train = part[part["split"] == "train"]
        row = {}
        for kind, prefix in (("ours", ""), ("T5's", "paper_")):
            low, high = f"{prefix}fewest", f"{prefix}most"
            row[f"{kind}, at length ℓ"] = _formula(part["length"], part[low], part[high])
            row[f"{kind}, training"] = _span(train[low].min(), train[high].max())
        rows[name] = row
    return pd.DataFrame(rows).T


def _example(task: Task, length: int, seed: int) -> tuple[Example, str]:
    """Draw an example of the length that comes nearest, and say which set has that length."""
    trained, tested = task.training_lengths, task.test_lengths
    nearest = min([*trained, *tested], key=lambda each: abs(each - length))
    if nearest in trained:
        narrow = replace(
            task,
            shortest=nearest,
            longest=nearest,
            test_shortest=tested[0],
            test_longest=tested[-1],
        )
        return narrow.examples("train", seed, DRAWN)[0], "training"
    narrow = replace(task, test_shortest=nearest, test_longest=nearest)
    return narrow.examples("test", seed, DRAWN)[0], "test"


def _headed(task: Task, part: int) -> str:
    """Name a task, and say what it asks (0) or what its length counts (1).

    Of a task that the book does not know, its docstring says what it asks.
    """
    docstring = (type(task).__doc__ or "").strip().splitlines()
    told = TOLD.get(task.name, (docstring[0] if docstring else "", ""))
    return f"<strong>{escape(task.name)}</strong><br>{escape(told[part])}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> HTML:
    """Make a table of cells that are HTML already."""
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return HTML(
        f'<table class="dataframe"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _span(first: int, last: int) -> str:
    """Write a range so that no line breaks within it."""
    return f"{first} to {last}".replace(" ", "\u00a0")


def _percent(share: float) -> str:
    """Write a share so that a little is not nothing, and nearly all is not all."""
    if share in (0, 1):
        number = f"{share:.0%}"
    else:
        sign = "< " if share < 0.001 else "> " if share > 0.999 else ""
        number = f"{sign}{min(max(share, 0.001), 0.999):.1%}"
    return number.replace(".0%", "%").replace("%", " %").replace(" ", "\u00a0")


def _formula(lengths: pd.Series, fewest: pd.Series, most: pd.Series) -> str:
    """Return `2ℓ + 7` where that is how tokens grow, else "varies"."""
    first, last = lengths.argmin(), lengths.argmax()
    slope, rest = divmod(
        int(fewest.iloc[last] - fewest.iloc[first]), int(lengths.iloc[last] - lengths.iloc[first])
    )
    start = int(fewest.iloc[first] - slope * lengths.iloc[first])
    exact = (fewest == most).all() and (fewest == slope * lengths + start).all()
    return f"{slope}ℓ + {start}" if exact and rest == 0 else "varies"
