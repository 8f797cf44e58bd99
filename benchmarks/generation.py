"""Greedy generation with a cache: new tokens a second, against the peers."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import torch

from benchmarks import ours
from benchmarks.comparison import Setting, compare, entry, facts
from benchmarks.contender import WEIGHTS, Entry, precision, precisions
from benchmarks.report import Row
from benchmarks.sizes import Size, size
from positions.analysis.timing import Action
from positions.training import seeded


def run(size: Size) -> list[Row]:
    """Compare generation at one size, encoding by encoding."""
    rows = []
    settings = partial(_settings, size.large)
    count = size.batch * size.new
    for encoding in ours.ENCODINGS:
        rows += compare("generation", make, settings, encoding, size, 0.0, count)
    return rows


def make(
    name: str, encoding: str, size: Size, dropout: float, setting: Setting
) -> tuple[Action, dict[str, Any]]:
    """Return the writing of `size.new` tokens after each prompt."""
    attention, kind, writer = setting
    with seeded(0):
        contender = entry(name, encoding).build(size, dropout, attention).eval()
    if kind == WEIGHTS:
        contender.to(torch.bfloat16)
    prompts = size.prompts()
    write = contender.writers()[writer]

    def action() -> torch.Tensor:
        with precision(kind):
            return write(prompts, size.new)

    written = tuple(action().shape)
    if written != (size.batch, size.new):
        raise RuntimeError(f"{name} wrote {written}, not {(size.batch, size.new)}.")
    return action, facts(contender)


def _settings(large: bool, entry: Entry) -> dict[str, list[Setting]]:
    """List each way to attend, in each precision; each way to write has a row of its own."""
    writers = entry.build(size("tiny"), 0.0, entry.attentions[0]).writers()
    kinds = (*precisions(large), WEIGHTS)
    return {
        entry.name + ("" if writer == "generate" else f", {writer}"): list(
            product(entry.attentions, kinds, (writer,))
        )
        for writer in writers
    }
