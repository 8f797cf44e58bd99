"""A run that can be killed: run as a script by `translation/test_run.py`."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

from positions.experiments import _checkpoints, get
from positions.tasks.translations import registry


def main(settings: str) -> None:
    _checkpoints.SECONDS = 0.01
    folder = Path(__file__).parent / "translation"
    tiny = runpy.run_path(str(folder / "conftest.py"))["tiny"]
    registry._ENTRIES["tiny"] = registry._Entry(tiny)
    experiment = get("translation")
    outcome = experiment.run(experiment.config(**json.loads(settings)))
    del outcome.metrics["steps_per_second"]
    print(json.dumps([outcome.metrics, outcome.series, outcome.data]))


if __name__ == "__main__":
    main(*sys.argv[1:])
