"""A run that can be killed: run as a script by `test_length_generalization.py`."""

from __future__ import annotations

import json
import sys

from positions.experiments import _checkpoints, get


def main(settings: str) -> None:
    _checkpoints.SECONDS = 0.01
    experiment = get("length_generalization")
    outcome = experiment.run(experiment.config(**json.loads(settings)))
    del outcome.metrics["steps_per_second"]
    print(json.dumps([outcome.metrics, outcome.series, outcome.data]))


if __name__ == "__main__":
    main(*sys.argv[1:])
