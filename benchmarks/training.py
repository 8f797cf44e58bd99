"""Training: tokens a second, against the peers with the same encoding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from benchmarks import hugging_face, ours, x_transformers_peers
from benchmarks.contender import PRECISIONS, Contender, Entry, precision
from benchmarks.report import Row
from benchmarks.sizes import Size
from benchmarks.timing import Action, fastest, interleaved, per_second, times_faster
from positions.training import CausalDataset, ShuffledBatches, TrainingPlan, causal_loss, fit, seeded

FIT = "positions, by fit"
RATE = 1e-4
FIT_STEPS = 20


def entries(encoding: str) -> list[Entry]:
    """Return ours, then the peers with that encoding."""
    everyone = (*ours.ENTRIES, *hugging_face.ENTRIES, *x_transformers_peers.ENTRIES)
    return [entry for entry in everyone if entry.encoding == encoding]


def run(size: Size, dropout: float) -> list[Row]:
    """Compare training at one size and one rate of dropout, encoding by encoding."""
    return [row for encoding in ours.ENCODINGS for row in compare(encoding, size, dropout)]


def compare(encoding: str, size: Size, dropout: float) -> list[Row]:
    """Let each entry choose its best setting, then train all of them in turns."""
    chosen = {entry.name: _best(entry, size, dropout) for entry in entries(encoding)}
    actions: dict[str, Action] = {name: one.step for name, one in chosen.items()}
    if size.seconds or size.name == "tiny":  # M is too large to begin anew in each turn
        actions[FIT] = _by_fit(encoding, size, dropout, chosen[ours.NAME].setting[1])
    times = interleaved(actions, rounds=size.rounds, seconds=size.seconds)
    if FIT in times:
        times[FIT] = [seconds / FIT_STEPS for seconds in times[FIT]]
        chosen[FIT] = chosen[ours.NAME]
    return [
        Row(
            "training",
            size=size.name,
            dropout=dropout,
            encoding=encoding,
            contender=name,
            setting=" ".join(chosen[name].setting),
            weights=chosen[name].weights,
            tokens_per_second=per_second(size.batch * size.length, seconds).rounded(),
            times_faster=times_faster(times[ours.NAME], seconds).rounded(3),
            tried=chosen[name].tried,
        )
        for name, seconds in times.items()
    ]


@dataclass
class Chosen:
    """An entry in its best setting (attention, precision), and what each setting took."""

    weights: int
    setting: tuple[str, str]
    step: Callable[[], Any]
    tried: dict[str, float]


def _best(entry: Entry, size: Size, dropout: float) -> Chosen:
    """Try each way to compute attention, in each precision."""
    steps: dict[str, Action] = {}
    made: dict[str, tuple[torch.optim.Optimizer, tuple[str, str]]] = {}
    for attention in entry.attentions:
        with seeded(0):
            contender = entry.build(size, dropout, attention)
        optimizer = _optimizer(contender)
        for kind in PRECISIONS:
            name = f"{attention} {kind}"
            steps[name] = _stepper(contender, optimizer, size, kind)
            made[name] = (optimizer, (attention, kind))
    best, times = fastest(steps, seconds=size.seconds / 2)
    optimizer, setting = made[best]
    weights = sum(p.numel() for p in optimizer.state)  # of those that training reaches
    tried = {name: float(f"{seconds:.3g}") for name, seconds in times.items()}
    return Chosen(weights, setting, steps[best], tried)


def _optimizer(model: nn.Module) -> torch.optim.Optimizer:
    """Return the same for everybody: AdamW in the one-kernel form."""
    return torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)


def _stepper(
    contender: Contender, optimizer: torch.optim.Optimizer, size: Size, kind: str
) -> Callable[[], float]:
    """Return an update as everybody makes it: forward, backward, clipping, AdamW."""
    tokens, targets = size.tokens()
    contender.train()
    trained = list(contender.parameters())

    def step() -> float:
        with precision(kind):
            loss = contender.loss(tokens, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    return step


def _by_fit(encoding: str, size: Size, dropout: float, kind: str) -> Action:
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

    return lambda: fit(model, batches, causal_loss(), plan)
