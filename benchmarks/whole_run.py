"""Where the time of one whole run goes: begun by nothing, ended by a record on disk."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise

from benchmarks.report import Row

PARTS = ("import", "data and model", "training", "validation", "test", "record")
TEST = 10_000


def run(**changes: int) -> list[Row]:
    """Run sorting as at `laptop` in a fresh process of one thread; the seconds of each part.

    With the paper's number of test examples; `changes` are other settings of the run.
    """
    asked = json.dumps({"begun": time.time(), "test": TEST, **changes})
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.whole_run", asked],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    seconds = found["seconds"]
    total = sum(seconds.values())
    return [
        Row(
            "whole run",
            part=name,
            seconds=round(seconds[name], 2),
            percent=round(100 * seconds[name] / total, 1),
            of=f"{found['steps']:,} steps, {found['examples']:,} test examples",
        )
        for name in PARTS
    ]


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
    experiment = get("length_generalization")
    usual = next(
        each
        for each in experiment.configs("laptop")
        if (each.task, each.encoding, each.seed) == ("sort_single", "t5", 0)
    )
    config = LengthConfig(**{**usual.canonical(), **asked})
    setup = one_run.set_up(config)
    marks.append(time.time())
    fitted = one_run.train(config, setup)
    marks.append(marks[-1] + fitted.training_seconds)
    marks.append(time.time())
    score = measure.share(measure.solved(setup.model, setup.test))
    marks.append(time.time())
    outcome = Outcome({"ood_last": score}, dict(fitted.series), {"examples": setup.sha256})
    finished = replace(experiment, run=lambda config: outcome)
    with tempfile.TemporaryDirectory() as folder:
        runs.Store(folder).add(execute(finished, config, "benchmark"))
    marks.append(time.time())
    parts = [after - before for before, after in pairwise(marks)]
    seconds = dict(zip(PARTS, parts, strict=True))
    print(json.dumps({"seconds": seconds, "steps": config.steps, "examples": config.test}))


if __name__ == "__main__":
    main()
