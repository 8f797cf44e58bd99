"""The training loop: update, evaluate, save."""

from __future__ import annotations

import contextlib
import math
import signal
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from positions.errors import InvalidValueError
from positions.training.checkpoint import Checkpoints, differences
from positions.training.device import DTYPES, describe, peak_memory
from positions.training.evaluation import Evaluate, checked_metrics
from positions.training.fitted import Fitted, Progress, Status
from positions.training.optimizer import build_optimizer
from positions.training.plan import TrainingPlan
from positions.training.randomness import seed_all
from positions.training.schedules import learning_rate
from positions.training.signals import StopRequest, TrainingStoppedError
from positions.training.state import RunState, pack, snapshot, unpack

CHECKED_EVERY = {"cpu": 1, "cuda": 50}  # steps; reading a loss makes the host wait for the card
REPORTED_EVERY = 0.2  # seconds


class Loop:
    """One call of `fit`: what it was given, and how far it is."""

    def __init__(
        self,
        model: nn.Module,
        batches: Callable[[int], Any],
        loss: Callable[[nn.Module, Any], Tensor],
        plan: TrainingPlan,
        evaluate: Evaluate | None,
        checkpoints: Checkpoints | None,
        progress: Callable[[Progress], None] | None,
        device: torch.device,
    ) -> None:
        self.model, self.batches, self.loss, self.plan = model, batches, loss, plan
        self.evaluate, self.checkpoints, self.progress = evaluate, checkpoints, progress
        self.device = device
        self.state = RunState()
        self.pending: list[Tensor] = []  # losses not read from the device yet
        self.resumed_from: int | None = None
        self.earlier_seconds = 0.0
        self.doing = "when moving the model"
        self.reported = 0.0

    def where(self) -> str:
        """Say what is being done, for a message."""
        return f"{self.doing}, after {self.state.step:,} of {self.plan.steps:,} steps,"

    def prepare(self) -> None:
        """Move the model, build its optimizer and go back to the newest checkpoint."""
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self.device)
        self.model.to(self.device).train()
        self.optimizer = build_optimizer(self.model, self.plan)
        self.parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
        checkpoint = self.checkpoints.load() if self.checkpoints else None
        if checkpoint is None:
            return
        assert self.checkpoints is not None
        if other := differences(self.identity(), checkpoint.facts["identity"]):
            raise InvalidValueError(
                f"The checkpoints in {self.checkpoints.folder} are of another run: "
                f"{'; '.join(other)}. Use another folder, or delete that one."
            )
        self.state = unpack(checkpoint, self.model, self.optimizer)
        self.resumed_from = checkpoint.step
        self.earlier_seconds = self.state.training_seconds + self.state.evaluation_seconds

    def identity(self) -> dict[str, Any]:
        """Return what a checkpoint must agree with: the run's key and plan, on any device."""
        assert self.checkpoints is not None
        plan = self.plan.model_dump(mode="json", exclude={"device"})
        return {"key": self.checkpoints.key} | plan

    def train(self, stop: StopRequest) -> Status:
        """Step, evaluate and save until the end, a loss that is not finite, or a signal."""
        state, every = self.state, CHECKED_EVERY[self.device.type]
        lap = time.perf_counter()
        while True:
            if self.evaluation_due():
                finite = self.settle()
                lap = self.clock("training_seconds", lap)
                if not finite:
                    return "diverged"
                self.record()
                lap = self.clock("evaluation_seconds", lap)
            if state.step == self.plan.steps:
                break
            self.advance()
            asked = stop.signal  # read once: the next may come at any moment
            saving = asked or (self.checkpoints and self.checkpoints.due)
            if len(self.pending) >= every or saving:
                finite = self.settle()
                lap = self.clock("training_seconds", lap)
                if not finite:
                    return "diverged"
                if saving:
                    self.save()
                    lap = time.perf_counter()
                if asked:
                    self.stop(asked)
        if self.resumed_from != state.step:
            self.save()
        return "ok"

    def clock(self, name: str, since: float) -> float:
        """Add the seconds since then to one of the state's sums; returns the time now."""
        now = time.perf_counter()
        setattr(self.state, name, getattr(self.state, name) + now - since)
        return now

    def advance(self) -> None:
        """Make one update."""
        self.doing = "in training"
        state, plan = self.state, self.plan
        seed_all(plan.seed, state.step)
        batch = self.batches(state.step)
        state.tokens += batch.size
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(plan, state.step)
        parts = [batch] if plan.gradient_accumulation == 1 else self.parts(batch)
        weights = [1.0] if len(parts) == 1 else _shares(parts)
        total: Tensor | None = None
        for part, weight in zip(parts, weights, strict=True):
            with self.autocast():
                value = self.loss(self.model, part.to(self.device))
            if state.step == 0:
                _check_loss(value)
            if weight != 1:
                value = value * weight
            value.backward()
            total = value.detach() if total is None else total + value.detach()
        assert total is not None
        if plan.clip is not None:
            nn.utils.clip_grad_norm_(self.parameters, plan.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending.append(total)
        state.step += 1

    def parts(self, batch: Any) -> list[Any]:
        """Cut a batch for accumulation; parts without anything to learn are left out."""
        parts = [part for part in batch.parts(self.plan.gradient_accumulation) if part.weight]
        return parts or [batch]

    def autocast(self) -> contextlib.AbstractContextManager[Any]:
        """Return the context in which the forward pass runs."""
        if self.plan.precision == "float32":
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=DTYPES[self.plan.precision])

    def settle(self) -> bool:
        """Read the pending losses; False if one is not finite: then `step` is set to its step."""
        if not self.pending:
            return True
        values = torch.stack(self.pending).tolist()
        first = self.state.step - len(values) + 1
        self.pending.clear()
        for step, value in enumerate(values, first):
            if not math.isfinite(value):
                self.state.step = step
                return False
        self.state.losses += values
        self.report(values[-1])
        return True

    def report(self, loss: float) -> None:
        """Tell the caller how far the run is, a few times a second."""
        now = time.monotonic()
        last = self.state.step == self.plan.steps
        if self.progress and (last or now - self.reported >= REPORTED_EVERY):
            self.reported = now
            self.progress(Progress(self.state.step, self.plan.steps, loss, self.state.best_score))

    def evaluation_due(self) -> bool:
        """Whether the state is to be evaluated, and has not been."""
        step, every = self.state.step, self.plan.evaluate_every
        due = step == self.plan.steps or (every and step and step % every == 0)
        return bool(due) and self.state.series.get("step", [])[-1:] != [step]

    def record(self) -> None:
        """Evaluate, keep the values, and the weights if they are the best so far."""
        self.doing = "in evaluation"
        state = self.state
        values: dict[str, float | None] = {
            "step": state.step,
            "learning_rate": learning_rate(self.plan, state.step - 1),
            "training_loss": math.fsum(state.losses) / len(state.losses),
        }
        if self.evaluate:
            seed_all(self.plan.seed, state.step, "evaluation")
            self.model.eval()
            with torch.no_grad():
                found = self.evaluate(self.model, state.step)
            self.model.train()
            values |= checked_metrics(found, state.series)
        state.losses = []
        for name, value in values.items():
            state.series.setdefault(name, []).append(value)
        score = values.get("score")
        highest = -math.inf if state.best_score is None else state.best_score
        # strictly greater, so that the earliest of equals stays; a score of NaN is never the best
        if score is not None and (score > highest or (state.best is None and score == highest)):
            state.best_step, state.best_score = state.step, score
            state.best = snapshot(self.model)

    def save(self) -> None:
        """Write a checkpoint, if any are wanted."""
        if self.checkpoints:
            self.checkpoints.save(pack(self.state, self.model, self.optimizer, self.identity()))

    def stop(self, number: int) -> None:
        """End a run that was asked to stop, its state being saved."""
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        step = self.state.step
        kept = "there is no checkpoint: it starts again from the beginning"
        if self.checkpoints:
            kept = f"it goes on from the checkpoint in {self.checkpoints.folder}"
        raise TrainingStoppedError(
            f"Training was stopped by {signal.Signals(number).name} after step {step:,} of "
            f"{self.plan.steps:,}. Run it again: {kept}.",
            step,
        )

    def result(self, status: Status) -> Fitted:
        """Gather what is handed back."""
        self.model.eval()
        state = self.state
        seconds = max(state.training_seconds, 1e-9)
        return Fitted(
            status=status,
            step=state.step,
            series=state.series,
            best_step=state.best_step,
            best_score=state.best_score,
            best_state=state.best,
            last_state=snapshot(self.model),
            training_seconds=state.training_seconds,
            evaluation_seconds=state.evaluation_seconds,
            earlier_seconds=self.earlier_seconds,
            steps_per_second=state.step / seconds,
            tokens_per_second=state.tokens / seconds,
            peak_memory=peak_memory(self.device),
            device=describe(self.device),
            precision=self.plan.precision,
            resumed_from=self.resumed_from,
        )


def _shares(parts: list[Any]) -> list[float]:
    """Weigh the means of the parts so that they add up to the mean of the whole batch."""
    whole = sum(part.weight for part in parts)
    return [part.weight / whole for part in parts]


def _check_loss(value: object) -> None:
    if not isinstance(value, Tensor) or value.dim() or not value.requires_grad:
        raise InvalidValueError(
            "The loss must be a scalar tensor that depends on the model's trainable parameters; "
            f"it is {value!r}."
        )
