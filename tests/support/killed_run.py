"""A run that is killed between two of its checkpoints and started again, as processes.

As a script, it is that run: it prints the metrics, series and digests of its data, time left out.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from positions import paths
from positions.experiments import Config, Experiment, _checkpoints, get

STEPS = 250
"""A run must have as many, with a checkpoint every 50, so that there is something to interrupt."""


def resumed(
    experiment: Experiment[Any], config: Config, project: Path, conftest: Path | None = None
) -> list[dict[str, Any]]:
    """Kill a run once it has two checkpoints, start it again and return what it found.

    `conftest` has a function `register` that makes known what the run needs.
    """
    kept = project / "_build" / "checkpoints" / experiment.name / experiment.key(config)
    killed = _start(experiment, config, project, conftest)
    deadline = time.monotonic() + 300
    while len(list(kept.glob("step-*"))) < 2:
        assert killed.poll() is None, killed.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    left = max(int(path.name.split("-")[1]) for path in kept.glob("step-*"))
    assert 0 < left < STEPS

    again = _start(experiment, config, project, conftest)
    found, err = again.communicate()
    assert again.returncode == 0, err
    assert not kept.exists(), "checkpoints must go when the run is over"
    return json.loads(found)


def _start(
    experiment: Experiment[Any], config: Config, project: Path, conftest: Path | None
) -> subprocess.Popen[str]:
    settings = json.dumps(config.canonical())
    return subprocess.Popen(
        [sys.executable, __file__, experiment.name, settings, str(conftest or "")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", paths.PROJECT_VARIABLE: str(project)},
    )


def main(name: str, settings: str, conftest: str) -> None:
    """Run one config, with a checkpoint wherever there can be one."""
    _checkpoints.SECONDS = 0.01
    if conftest:
        runpy.run_path(conftest)["register"]()
    experiment = get(name)
    outcome = experiment.run(experiment.config(**json.loads(settings)))
    outcome.metrics.pop("steps_per_second", None)
    print(json.dumps([outcome.metrics, outcome.series, outcome.data]))


if __name__ == "__main__":
    main(*sys.argv[1:])
