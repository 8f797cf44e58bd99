"""Train a model by a plan: resumable, repeatable, and with both its best and its last weights."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TypeVar

from torch import Tensor, nn

from positions.training.batches import Trainable
from positions.training.checkpoint import Checkpoints
from positions.training.compiling import compiled
from positions.training.device import check_precision, deterministic, pick_device
from positions.training.evaluation import Evaluate
from positions.training.fitted import Fitted, Progress
from positions.training.loop import Loop
from positions.training.memory import explained_memory
from positions.training.plan import TrainingPlan
from positions.training.randomness import preserved
from positions.training.signals import StopRequest

B = TypeVar("B", bound=Trainable)
Loss = Callable[[nn.Module, B], Tensor]


def fit(
    model: nn.Module,
    batches: Callable[[int], B],
    loss: Loss[B],
    plan: TrainingPlan,
    *,
    evaluate: Evaluate | None = None,
    checkpoints: Checkpoints | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Fitted:
    """Train `model` in place, on the plan's device, and leave it there in evaluation mode.

    `batches(step)` gives the batch of a step (0, 1, ...), on the CPU, and must give the same one
    whenever it is asked. `loss(model, batch)` gives a scalar mean. `evaluate(model, step)` is
    called without gradients, in evaluation mode and in float32, every `plan.evaluate_every` steps
    and at the end; the higher its "score", the better, and of equal scores the earliest is best
    (Kazemnejad et al. 2023, appendix D). Randomness must come from the global generators of torch,
    Python or NumPy: they are seeded at every step, and in the end left as they were found.

    With `checkpoints`, a run that was interrupted goes on from the newest, and gives the same
    numbers as an uninterrupted one, bit for bit, on the same device with as many threads. SIGTERM
    and Ctrl-C finish the step and save first.

    Raises `InvalidValueError` (device, loss or score unusable, checkpoint of another run),
    `OutOfMemoryError`, `CompileError`, `TrainingStoppedError` (SIGTERM), `PositionsError` (disk).
    """
    device = pick_device(plan.device)
    check_precision(device, plan.precision)
    run = Loop(model, batches, loss, plan, evaluate, checkpoints, progress, device)
    with (
        explained_memory(plan, device, run.where),
        checkpoints.held() if checkpoints else contextlib.nullcontext(),
        preserved(),
        deterministic(),
        compiled(model, plan.compile),
        StopRequest() as stop,
    ):
        run.prepare()
        status = run.train(stop)
        return run.result(status)
