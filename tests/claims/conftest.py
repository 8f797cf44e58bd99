"""Made-up runs of the length-generalization tasks, and what the paper's own runs reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

from made_up import provenance
from positions import claims, published
from positions.experiments.base import key
from positions.experiments.length_generalization import EXPERIMENT, LengthConfig
from positions.experiments.length_generalization.readings import GROUPS
from positions.runs import Record

OPTIONS = {
    "nope": ("nope", ""),
    "t5": ("t5", ""),
    "alibi": ("alibi", ""),
    "sinusoidal": ("sinusoidal", "amplitude=1.0"),
    "learned": ("learned", "std=1.0"),
    "rotary": ("rotary", "fraction=0.25"),
    "rotary, whole": ("rotary", "fraction=1.0"),
}
FIVE = ("nope", "t5", "alibi", "rotary", "sinusoidal")
LONGEST = {"primitive": 20, "mathematical": 8}
SETTINGS = LengthConfig(
    task="scan",
    encoding="nope",
    seed=0,
    longest=25,
    test_longest=48,
    train=200,
    test=40,
    width=16,
    heads=2,
    layers=1,
    hidden=32,
    dropout=0.0,
    steps=4,
    batch_size=8,
    learning_rate=2e-3,
    evaluate_every=2,
).canonical()


class Records:
    """A store that holds what it is given."""

    def __init__(self, **records: list[Record]) -> None:
        self.records = records

    def load(self, experiment: Any, preset: str) -> list[Record]:
        return self.records.get(experiment.name, [])


def made_up(
    task: str,
    variant: str,
    seed: int,
    beyond: float | None,
    within: float | None = 1.0,
    experiment: str = EXPERIMENT.name,
    **changes: Any,
) -> Record:
    """Record one run that solved so much; within = None: it diverged."""
    encoding, options = OPTIONS[variant]
    longest = {"scan": 25, "pcfg": 8}.get(task) or LONGEST[GROUPS[task]]
    config = SETTINGS | {
        "task": task,
        "encoding": encoding,
        "encoding_options": options,
        "seed": seed,
        "longest": longest,
        "test_longest": 2 * longest,
        **changes,
    }
    return Record(
        key=key(experiment, EXPERIMENT.version, config),
        experiment=experiment,
        version=EXPERIMENT.version,
        preset="gpu",
        config=config,
        metrics={
            "iid_best": within,
            "ood_best": beyond,
            "iid_last": within,
            "ood_last": beyond,
            "chance": 0.0,
        },
        series={},
        status="ok" if within is not None else "diverged",
        provenance=provenance(),
    )


def paper(split: str) -> pd.DataFrame:
    """Return the paper's mean accuracy by task and variant."""
    table = published.load("length-generalization/summary_iid_ood")
    chosen = table[(table.scratchpad == "none") & (table.split == split)]
    wide = chosen.pivot_table(index="task", columns="pe", values="overall_accuracy_mean")
    return wide.rename(columns={"ape": "sinusoidal"}).loc[list(GROUPS), list(FIVE)]


@pytest.fixture
def grid() -> Callable[..., list[Record]]:
    """Give a function that makes runs of a whole grid: the paper's accuracies, unless told."""

    def build(
        beyond: Mapping[str, Any] | None = None,
        within: Mapping[str, Any] | None = None,
        seeds: int = 3,
        noise: float = 0.01,
        variants: tuple[str, ...] = FIVE,
        tasks: tuple[str, ...] = tuple(GROUPS),
        **changes: Any,
    ) -> list[Record]:
        """By variant: one number for all tasks, or a function of the task."""
        far, near = paper("ood_test"), paper("iid_valid")
        rng = np.random.default_rng(0)

        def value(given: Mapping[str, Any] | None, known: pd.DataFrame, task: str, name: str):
            if given is None or name not in given:
                return float(known.loc[task, name if name in known else "rotary"])
            return given[name](task) if callable(given[name]) else given[name]

        return [
            made_up(
                task,
                name,
                seed,
                float(np.clip(value(beyond, far, task, name) + noise * rng.normal(), 0, 1)),
                value(within, near, task, name),
                **changes,
            )
            for task in tasks
            for name in variants
            for seed in range(seeds)
        ]

    return build


@pytest.fixture
def evidence() -> Callable[..., claims.Evidence]:
    """Give a function that takes made-up runs for what is recorded of a preset."""

    def take(records: list[Record], **others: list[Record]) -> claims.Evidence:
        store = Records(length_generalization=records, **others)
        return claims.Evidence(store, "gpu")  # type: ignore[arg-type]

    return take


@pytest.fixture
def verdict(evidence) -> Callable[..., claims.Verdict]:
    """Give a function that judges a claim of the second paper by made-up runs."""

    def judge(number: str, *records: list[Record], **others: list[Record]) -> claims.Verdict:
        claim = claims.get(f"length-generalization/{number}")
        return claims.judge_one(claim, evidence(*records, **others))

    return judge


@pytest.fixture
def run() -> Callable[..., Record]:
    """Give the function that makes one run."""
    return made_up
