"""What Kazemnejad et al. (2023) publish of their runs without scratchpad, in the form of ours."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from positions import published
from positions import tasks as all_tasks
from positions.experiments.length_generalization.readings import GROUPS

_SEEDS = (146317, 234054, 256788)
_VARIANTS = {"ape": "sinusoidal"}
_FOLDER = "length-generalization"


def curves(tasks: Iterable[str]) -> pd.DataFrame:
    """Return task, variant, length, mean, low, high: the mean over seeds, and one s.d. around it.

    The paper draws the same. Of the mathematical tasks the s.d. is read from its figures.
    """
    runs = _chosen("accuracy_by_length_seed", tasks)
    by = ["task", "variant", "length"]
    known = runs.groupby(by, sort=False)["accuracy"].agg(["mean", "std"]).reset_index()
    means = _chosen("accuracy_by_length_math_tasks", tasks)
    read = means[[*by, "accuracy", "sd_over_seeds_approx"]].set_axis([*by, "mean", "std"], axis=1)
    table = pd.concat([known, read], ignore_index=True)
    spread = table.pop("std").fillna(0)
    return table.assign(
        low=(table["mean"] - spread).clip(lower=0), high=(table["mean"] + spread).clip(upper=1)
    )


def scores(tasks: Iterable[str]) -> pd.DataFrame:
    """Return task, group, variant, seed, accuracy, iid, chance: exact match beyond and within.

    Of the mathematical tasks only the mean over seeds is known: it stands for each of the three.
    """
    runs = _chosen("runs", tasks)
    exact = runs[["task", "variant", "seed", "test_acc", "valid_acc"]]
    exact = exact.set_axis(["task", "variant", "seed", "accuracy", "iid"], axis=1)
    summary = _chosen("summary_iid_ood", tasks)
    summary = summary[~summary["task"].isin(exact["task"])]
    wide = summary.pivot_table(
        index=["task", "variant"], columns="split", values="overall_accuracy_mean"
    ).rename(columns={"ood_test": "accuracy", "iid_valid": "iid"})
    read = pd.concat([wide.reset_index().assign(seed=seed) for seed in _SEEDS])
    table = pd.concat([exact, read], ignore_index=True)
    chance = {name: all_tasks.build(name).chance for name in table["task"].unique()}
    return table.assign(group=table["task"].map(GROUPS), chance=table["task"].map(chance))


def _chosen(name: str, tasks: Iterable[str]) -> pd.DataFrame:
    """Return a published table's rows of these tasks without scratchpad, encodings by our names."""
    table = published.load(f"{_FOLDER}/{name}")
    table = table[(table["scratchpad"] == "none") & table["task"].isin(list(tasks))]
    return table.assign(variant=table["pe"].replace(_VARIANTS))
