"""What Kazemnejad et al. (2023) publish of their scratchpads, in the form of ours."""

from __future__ import annotations

import pandas as pd

from positions import published
from positions.experiments.scratchpad.config import TASKS
from positions.experiments.scratchpad.readings import MERGED, MERGING

_FOLDER = "length-generalization"
_VARIANTS = {"ape": "sinusoidal"}
_TASKS = {
    "Addition": "addition",
    "Summation": "summation",
    "Parity": "parity",
    "Sort": "sort_multi",  # what its figure shows follows from the accuracies: several digits
    "Polynomial Eval.": "polynomial",
    "LEGO": "lego",
}
_ENCODINGS = {
    "No PE": "nope",
    "T5’s Rel. Bias": "t5",
    "ALiBi": "alibi",
    "Rotary": "rotary",
    "APE": "sinusoidal",
}
BY_TASK, BY_ENCODING = "scratchpad_format_by_task", "scratchpad_format_by_pe"
POOLED = "overall_all_scratchpad_configs_173_queries"
ALONE = "overall_no_scratchpad_51_queries"


def accuracy() -> pd.DataFrame:
    """Return task, format, variant, seed, accuracy beyond the training lengths.

    The mean over three seeds, as seed 0: single runs are not published.
    """
    table = published.load(f"{_FOLDER}/scratchpad_ood_accuracy")
    found = pd.DataFrame(
        {
            "task": table["task"],
            "format": _formats(table["scratchpad"]),
            "variant": table["pe"].replace(_VARIANTS),
            "seed": 0,
            "accuracy": table["accuracy"],
        }
    )
    both = found["task"].isin(MERGING) & (found["format"] == "full-I")
    found["format"] = found["format"].mask(both, MERGED)
    return found.sort_values("task", key=lambda names: names.map(TASKS.index), kind="stable")


def ranks() -> pd.DataFrame:
    """Return within, format, mean: mean reciprocal ranks by task and by encoding (6 and F.8)."""
    table = published.load(f"{_FOLDER}/mrr")
    kind = table["group"].str.partition(":")
    table = table.assign(
        kind=kind[0], within=kind[2].map(_TASKS | _ENCODINGS), format=_formats(table["scratchpad"])
    )
    table = table[table["kind"].isin([BY_TASK, BY_ENCODING])]
    both = table["within"].isin(MERGING) & (table["format"] == "full-I")
    table["format"] = table["format"].mask(both, MERGED)
    return table.rename(columns={"mrr": "mean"})[["within", "format", "mean"]]


def encodings(group: str) -> dict[str, float]:
    """Return the mean reciprocal rank of each encoding, over `POOLED` or `ALONE` queries."""
    table = published.load(f"{_FOLDER}/mrr")
    rows = table[table["group"] == group]
    return dict(zip(rows["pe"].replace(_VARIANTS), rows["mrr"], strict=True))


def operands() -> pd.DataFrame:
    """Return variant, a, b, accuracy, seeds: addition with the full scratchpad, by digits.

    The mean over seeds; of Rotary one run is published.
    """
    table = published.load(f"{_FOLDER}/addition_full_scratchpad_by_operand_lengths")
    table = table.assign(variant=table["pe"].replace(_VARIANTS))
    by = table.groupby(["variant", "a_digits", "b_digits"])["accuracy"]
    found = by.agg(["mean", "size"]).reset_index()
    return found.set_axis(["variant", "a", "b", "accuracy", "seeds"], axis=1)


def by_digits() -> pd.DataFrame:
    """Return accuracy in addition without scratchpad, by the digits of the longer number.

    One row a number of digits, one column an encoding; means over seeds.
    """
    table = published.load(f"{_FOLDER}/accuracy_by_length_math_tasks")
    table = table[table["task"] == "addition"]
    table = table.assign(variant=table["pe"].replace(_VARIANTS))
    return table.pivot_table(index="length", columns="variant", values="accuracy")


def _formats(names: pd.Series) -> pd.Series:
    return names.replace({"minimal_CO": "minimal"})
