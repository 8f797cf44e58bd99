"""The two ways to compute attention: the table behind the choice in `positions.model.attend`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import torch
from torch import Tensor

from benchmarks.report import Row
from benchmarks.timing import here, interleaved
from benchmarks.workers import keep_memory
from positions.analysis.timing import Action, Spread, ratios
from positions.encodings import build
from positions.model.attend import attend, fastest, using
from positions.model.pattern import Pattern

LENGTHS = (32, 64, 256, 1024, 2048)
TOKENS, HEADS = 2048, 4
BIASES = {"none": "nope", "fixed": "alibi", "learned": "t5"}


def run(lengths: Iterable[int] = LENGTHS, rounds: int = 3, seconds: float = 0.05) -> list[Row]:
    """Compare them by dtype, bias, width of a head and length, forward and backward together."""
    keep_memory()
    cases = product((torch.float32, torch.bfloat16), BIASES, (16, 64), lengths)
    return [_compare(*case, rounds, seconds) for case in cases]


def _compare(
    dtype: torch.dtype, bias: str, per_head: int, length: int, rounds: int, seconds: float
) -> Row:
    actions = {path: _action(path, dtype, bias, per_head, length) for path in ("written", "fused")}
    times = interleaved(here(actions), rounds=rounds, seconds=seconds)
    ratio = Spread.of(ratios(times["fused"], times["written"]))
    chosen = fastest(torch.device("cpu"), dtype, length, learned=bias == "learned", thin=False)
    quicker = "written" if ratio.median > 1 else "fused"
    return Row(
        "attention",
        dtype=str(dtype).removeprefix("torch."),
        bias=bias,
        head_width=per_head,
        length=length,
        written_ms=round(1e3 * Spread.of(times["written"]).median, 3),
        fused_ms=round(1e3 * Spread.of(times["fused"]).median, 3),
        fused_over_written=ratio.rounded(3),
        chosen=chosen,
        loss_by_choice=1.0 if chosen == quicker else max(ratio.median, 1 / ratio.median),
    )


def _action(path: str, dtype: torch.dtype, bias: str, per_head: int, length: int) -> Action:
    encoding = build(BIASES[bias], width=HEADS * per_head, heads=HEADS, max_length=length)
    ids = torch.arange(length)[None]
    shape = (max(TOKENS // length, 1), HEADS, length, per_head)
    q, k, v = (torch.randn(shape, dtype=dtype, requires_grad=True) for _ in range(3))
    tensors = [q, k, v, *encoding.parameters()]

    def action() -> tuple[Tensor, ...]:
        pattern = Pattern(causal=True, encoding=encoding, q_ids=ids, k_ids=ids)
        with using(path):  # type: ignore[arg-type]
            out = attend(q, k, v, pattern, per_head**-0.5)
        return torch.autograd.grad(out, tensors, out)

    return action
