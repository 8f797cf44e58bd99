"""An experiment whose runs misbehave to order; importable by worker processes."""

import os
import signal
import time
from pathlib import Path
from typing import Literal

from positions.errors import NotAtHandError
from positions.experiments.base import Config, Experiment, Outcome


class Toy(Config):
    seed: int = 0
    does: Literal["work", "raise", "want", "die", "die once", "wait"] = "work"
    folder: str = "."


def run(config: Toy) -> Outcome:
    folder = Path(config.folder)
    mark = folder / f"begun-{config.seed}"
    begun_before = mark.exists()
    with mark.open("a") as file:
        file.write(f"{os.getpid()}\n")
    if config.does == "raise":
        raise RuntimeError("this run is meant to fail")
    if config.does == "want":
        raise NotAtHandError("The table is elsewhere.")
    if config.does == "die" or (config.does == "die once" and not begun_before):
        os.kill(os.getpid(), signal.SIGKILL)
    while config.does == "wait" and not (folder / "go").exists():
        time.sleep(0.02)
    return Outcome(metrics={"square": float(config.seed**2), "threads": float(_threads())})


def _threads() -> int:
    import numpy as np  # loads a linear algebra library, as a real run does
    from threadpoolctl import threadpool_info

    assert np.ones((2, 2)) @ np.ones(2) is not None
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)


def two() -> list[Toy]:
    return [Toy(seed=0), Toy(seed=1)]


def not_odd(config: Toy) -> str | None:
    return "odd seeds are not at hand" if config.seed % 2 else None


TOY = Experiment("toy", 1, "A toy", Toy, run, {"smoke": two})
EVEN = Experiment("toy", 1, "A toy", Toy, run, {"smoke": two}, requires=not_odd)
