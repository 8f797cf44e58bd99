"""Training: tokens a second, against the peers with the same encoding."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import torch
from torch import nn

from benchmarks import ours
from benchmarks.comparison import AS_IT_COMES, KEPT, Setting, compare, entry
from benchmarks.contender import Entry, precision, precisions
from benchmarks.report import Row
from benchmarks.sizes import Size
from benchmarks.workers import Job
from positions.analysis.timing import Action
from positions.training import (
    CausalDataset,
    ShuffledBatches,
    TrainingPlan,
    causal_loss,
    fit,
    seeded,
)

FIT = "positions, by fit"
RATE = 1e-4
FIT_STEPS = 20


def run(size: Size) -> list[Row]:
    """Compare training at one size, with and without dropout, encoding by encoding."""
    rows = []
    settings = partial(_settings, size.large)
    # where a step takes seconds, freed pages and the set-up of `fit` are lost in it
    memories = (AS_IT_COMES,) if size.large else (AS_IT_COMES, KEPT)
    for dropout, encoding in product(size.dropout, ours.ENCODINGS):
        extra = _nothing if size.large else partial(_fit_job, encoding, size, dropout)
        count = size.batch * size.length
        rows += compare("training", make, settings, encoding, size, dropout, count, memories, extra)
    return rows


def make(
    name: str, encoding: str, size: Size, dropout: float, setting: Setting
) -> tuple[Action, dict[str, Any]]:
    """Return an update as everybody makes it: forward, backward, clipping, AdamW in one kernel."""
    attention, kind = setting
    with seeded(0):
        contender = entry(name, encoding).build(size, dropout, attention).train()
    weights = list(contender.parameters())
    optimizer = torch.optim.AdamW(weights, lr=RATE, fused=True)
    tokens, targets = size.tokens()

    def step() -> float:
        with precision(kind):
            loss = contender.loss(tokens, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    step()
    return step, {"weights": sum(p.numel() for p in optimizer.state)}  # those training reaches


def make_fit(encoding: str, size: Size, dropout: float, kind: Any) -> tuple[Action, dict[str, Any]]:
    """Return a whole call of `fit`, set-up and batches included, of `FIT_STEPS` steps."""
    with seeded(0):
        model = ours.build(encoding, size, dropout).model
    tokens, targets = size.tokens()
    texts = torch.cat([tokens, targets[:, -1:]], 1).tolist()
    marks = [True] * (size.length + 1)
    data = CausalDataset([(text, marks) for text in texts], vocabulary=size.vocabulary)
    batches = ShuffledBatches(data, size.batch, seed=0)
    plan = TrainingPlan(
        steps=FIT_STEPS, batch_size=size.batch, learning_rate=RATE, precision=kind, device="cpu"
    )
    weights = sum(p.numel() for p in model.parameters())
    action = partial(fit, model, batches, causal_loss(), plan)
    return action, {"weights": weights, "calls": FIT_STEPS}


def _settings(large: bool, entry: Entry) -> dict[str, list[Setting]]:
    return {entry.name: list(product(entry.attentions, precisions(large)))}


def _fit_job(encoding: str, size: Size, dropout: float, setting: Setting) -> dict[str, Job]:
    return {FIT: Job(make_fit, (encoding, size, dropout, setting[1]))}


def _nothing(setting: Setting) -> dict[str, Job]:
    return {}
