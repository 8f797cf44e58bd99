"""What each encoding costs beside none at all: time and memory, by length."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import torch

from benchmarks.report import Row
from benchmarks.timing import here, interleaved
from benchmarks.workers import keep_memory
from positions import encodings
from positions.analysis.timing import Action, Spread, peak_memory, ratios
from positions.model import LanguageModel, gpt2_like, next_tokens
from positions.training import seeded

LENGTHS = (64, 128, 256, 512, 1024)
TOKENS = 4096
"""In one batch, at every length."""
NONE = "nope"


def run(
    lengths: Iterable[int] = LENGTHS, rounds: int = 7, seconds: float = 0.1, tokens: int = TOKENS
) -> list[Row]:
    """Compare all encodings in a decoder of 4 layers, width 128, 4 heads, in float32."""
    keep_memory()
    return [
        row
        for length in lengths
        for kind in ("forward", "forward and backward")
        for row in _compare(length, kind, rounds, seconds, tokens)
    ]


def _compare(length: int, kind: str, rounds: int, seconds: float, tokens: int) -> list[Row]:
    actions = {name: _action(name, length, kind, tokens) for name in encodings.names()}
    times = interleaved(here(actions), rounds=rounds, seconds=seconds)
    memory = {name: peak_memory(action) for name, action in actions.items()}
    rows = []
    for name, found in times.items():
        ratio = Spread.of(ratios(found, times[NONE]))
        rows.append(
            Row(
                "encodings",
                length=length,
                passes=kind,
                encoding=name,
                milliseconds=Spread.of([1e3 * each for each in found]).rounded(),
                times_nope=ratio.rounded(3),
                peak_mib=round(memory[name] / 2**20, 1),
                mib_above_nope=round((memory[name] - memory[NONE]) / 2**20, 1),
            )
        )
    return rows


def _action(name: str, length: int, kind: str, tokens: int) -> Action:
    config = gpt2_like(
        "small", vocabulary=64, layers=4, max_length=length, activation="gelu", dropout=0.0
    )
    with seeded(0):
        model = LanguageModel(config, name)
        texts = torch.randint(config.vocabulary, (max(tokens // length, 1), length))
    labels = next_tokens(texts, torch.ones_like(texts, dtype=torch.bool))
    if kind == "forward":
        return partial(_forward, model.eval(), texts)
    return partial(_backward, model.train(), texts, labels)


@torch.no_grad()
def _forward(model: LanguageModel, texts: torch.Tensor) -> None:
    model(texts)


def _backward(model: LanguageModel, texts: torch.Tensor, labels: torch.Tensor) -> None:
    model.loss(texts, labels).backward()
    model.zero_grad()
