"""What the fixed sets of tasks hold, counted: sizes, tokens, and prompts that come twice."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from positions import experiments, published
from positions.tasks import Example, Sizes, Task, Tokenizer
from positions.tasks.base import Split

SPLITS: tuple[Split, ...] = get_args(Split)
NEARLY_ALL = 0.99


def survey(
    tasks: Iterable[Task], *, distinct: bool = False, sizes: Sizes | None = None
) -> pd.DataFrame:
    """Draw the fixed sets of tasks and return one row a task, split and length, with counts.

    Columns: `task`, `group`, `split`, `length`; `examples`; `different` prompts among them; `seen`,
    how many of their prompts the training set holds (in the training set, all); tokens of prompt,
    target and end together, `fewest`, `mean` and `most`; how many examples have more tokens than
    99 % of the training set (`past_nearly_all`), and than all of it (`past_all`); and tokens by
    T5's tokenizer, `paper_fewest` and `paper_most`, where its pieces are known. `distinct` and
    `sizes` as for `Task.dataset`, and the same errors.
    """
    frames = [_counted(task, distinct, sizes) for task in tasks]
    return pd.concat(frames, ignore_index=True)


def survey_runs(preset: str) -> pd.DataFrame:
    """Survey the sets that the recorded runs of a preset train on, each task's once.

    Raises `UnknownNameError` for a preset that the experiment lacks.
    """
    configs = experiments.get("length_generalization").configs(preset)
    frames = [
        survey(
            [config.build_task()],
            distinct=config.distinct,
            sizes=Sizes(config.train, config.test),
        )
        for config in {config.task: config for config in configs}.values()
    ]
    return pd.concat(frames, ignore_index=True)


def totals(counts: pd.DataFrame) -> pd.DataFrame:
    """Sum a survey over lengths: one row a task and split, in the survey's order.

    Prompts of different lengths differ, so that the counts of different ones add up too.
    """
    sums = ["examples", "different", "seen", "past_nearly_all", "past_all"]
    how = dict.fromkeys(sums, "sum") | {"fewest": "min", "most": "max"}
    return counts.groupby(["task", "split"], sort=False).agg(how)


def same_as_logged(counts: pd.DataFrame) -> pd.Series:
    """Say whether the sizes of all sets are those that Kazemnejad et al. 2023 log, task by task.

    Of the validation set they log the half that a run looks at. Tasks without logs are left out.
    """
    columns = {"n_train": "train", "n_valid": "validation", "n_test": "test"}
    runs = published.load("length-generalization/runs").dropna(subset=[*columns])
    theirs = runs.groupby("task")[[*columns]].first().astype(int).rename(columns=columns)
    ours = totals(counts)["examples"].unstack(sort=False)
    ours["validation"] //= 2
    both = [task for task in ours.index if task in theirs.index]
    return (ours.loc[both, theirs.columns] == theirs.loc[both]).all(axis=1)


def tokens(examples: Iterable[Example], tokenizer: Tokenizer) -> NDArray[np.int64]:
    """Count the tokens of each example: prompt, target and end."""

    @functools.cache
    def count(word: str) -> int:
        return len(tokenizer.encode(word))

    # a tokenizer cuts at blanks first, and the examples of a task share few words
    return np.array([sum(map(count, (each.source + each.target).split())) + 1 for each in examples])


def _counted(task: Task, distinct: bool, sizes: Sizes | None) -> pd.DataFrame:
    sets = task.dataset(distinct=distinct, sizes=sizes)
    trained = {each.source for each in sets.train}
    tokenizers = {"": task.tokenizer()}
    if task.paper_pieces is not None:
        tokenizers["paper_"] = task.tokenizer(paper_lengths=True)
    limits: tuple[int, int] | None = None
    rows = []
    for split in SPLITS:
        examples: Sequence[Example] = getattr(sets, split)
        lengths = np.array([each.length for each in examples])
        counted = {prefix: tokens(examples, each) for prefix, each in tokenizers.items()}
        if limits is None:  # the training set comes first
            limits = _limits(counted[""])
        for length in np.unique(lengths).tolist():
            places = np.flatnonzero(lengths == length)
            here = [examples[each] for each in places.tolist()]
            row = {
                "task": task.name,
                "group": task.group,
                "split": split,
                "length": length,
                "examples": len(here),
                "different": len({each.source for each in here}),
                "seen": sum(each.source in trained for each in here),
                "mean": round(float(counted[""][places].mean()), 2),
                "past_nearly_all": int((counted[""][places] > limits[0]).sum()),
                "past_all": int((counted[""][places] > limits[1]).sum()),
                "paper_fewest": None,
                "paper_most": None,
            }
            for prefix, count in counted.items():
                row[f"{prefix}fewest"] = int(count[places].min())
                row[f"{prefix}most"] = int(count[places].max())
            rows.append(row)
    return pd.DataFrame(rows).astype({"paper_fewest": "Int64", "paper_most": "Int64"})


def _limits(count: NDArray[np.int64]) -> tuple[int, int]:
    """Return how many tokens 99 % of the training set have at most, and all of it."""
    return int(np.quantile(count, NEARLY_ALL, method="higher")), int(count.max())
