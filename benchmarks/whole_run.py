"""Where the time of one whole run goes: begun by nothing, ended by a record on disk."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from typing import Any

from benchmarks.report import Row

STEPS = 2500
PARTS = ("import", "data and model", "training", "validation", "test", "record")


def run(steps: int = STEPS, train: int = 100_000, test: int = 10_000) -> list[Row]:
    """Run sorting, as in the book, in a fresh process of one thread; the seconds of each part."""
    asked = json.dumps({"begun": time.time(), "steps": steps, "train": train, "test": test})
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.whole_run", asked],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = json.loads(done.stdout.splitlines()[-1])
    total = sum(seconds.values())
    return [
        Row(
            "whole run",
            part=name,
            seconds=round(seconds[name], 2),
            percent=round(100 * seconds[name] / total, 1),
            of=f"{steps:,} steps, {test:,} test examples",
        )
        for name in PARTS
    ]


def settings(steps: int, train: int, test: int) -> dict[str, Any]:
    """Return a run of the size that a laptop is meant for."""
    return {
        "task": "sort_single",
        "encoding": "t5",
        "seed": 0,
        "longest": 8,
        "test_longest": 16,
        "train": train,
        "test": test,
        "width": 64,
        "heads": 4,
        "layers": 2,
        "hidden": 256,
        "dropout": 0.1,
        "steps": steps,
        "batch_size": 64,
        "learning_rate": 2e-3,
        "precision": "bfloat16",
        "evaluate_every": max(steps // 5, 1),
    }


def main() -> None:
    """Be the fresh process: print the seconds of each part as JSON."""
    asked = json.loads(sys.argv[1])
    marks = [asked.pop("begun")]

    from positions import runs
    from positions.experiments import Outcome, get
    from positions.experiments.length_generalization import LengthConfig, measure, one_run
    from positions.runs.engine import execute
    from positions.runs.engines import one_thread

    one_thread()
    marks.append(time.time())
    config = LengthConfig(**settings(**asked))
    setup = one_run.set_up(config)
    marks.append(time.time())
    fitted = one_run.train(config, setup)
    marks.append(marks[-1] + fitted.training_seconds)
    marks.append(time.time())
    score = measure.share(measure.solved(setup.model, setup.test))
    marks.append(time.time())
    outcome = Outcome({"ood_last": score}, dict(fitted.series), {"examples": setup.sha256})
    experiment = replace(get("length_generalization"), run=lambda config: outcome)
    with tempfile.TemporaryDirectory() as folder:
        runs.Store(folder).add(execute(experiment, config, "benchmark"))
    marks.append(time.time())
    parts = [after - before for before, after in pairwise(marks)]
    print(json.dumps(dict(zip(PARTS, parts, strict=True))))


if __name__ == "__main__":
    main()
