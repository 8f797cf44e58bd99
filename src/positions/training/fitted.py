"""What training reports on the way, and leaves in the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from positions.training.device import DeviceReport
from positions.training.state import Weights

Status = Literal["ok", "diverged"]


@dataclass(frozen=True)
class Progress:
    """How far a run is; `loss` is that of the last step read."""

    step: int
    steps: int
    loss: float
    best_score: float | None


@dataclass(frozen=True)
class Fitted:
    """What training left.

    `status`: "diverged" where a loss was not finite, and then `step` is the step it was of; else
    "ok", and `step` is the last. `series`: one value per evaluation: step, learning rate, mean
    training loss since the evaluation before, and whatever `evaluate` gave. `best_state`: the
    weights of the earliest evaluation with the highest score, None without one; `last_state`:
    those at the end. Seconds count the whole run, earlier starts included: those had taken
    `earlier_seconds` up to the checkpoint that this one went on from.
    """

    status: Status
    step: int
    series: dict[str, list[float | None]]
    best_step: int | None
    best_score: float | None
    best_state: Weights | None
    last_state: Weights
    training_seconds: float
    evaluation_seconds: float
    earlier_seconds: float
    steps_per_second: float
    tokens_per_second: float
    peak_memory: int | None
    device: DeviceReport
    precision: str
    resumed_from: int | None

    @property
    def last_metrics(self) -> dict[str, float | None]:
        """Return the values of the last evaluation; empty if there was none."""
        return {name: values[-1] for name, values in self.series.items()}

    @property
    def best_metrics(self) -> dict[str, float | None]:
        """Return the values of the best evaluation; empty if there was none."""
        if self.best_step is None:
            return {}
        index = self.series["step"].index(self.best_step)
        return {name: values[index] for name, values in self.series.items()}
