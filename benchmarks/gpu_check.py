"""Check that a GPU computes what the CPU does, and say how fast it trains.

    python -m benchmarks.gpu_check              # under three minutes on one card
    python -m benchmarks.gpu_check --device cuda:1

For every encoding: logits and gradients of the same weights on both, in float32; a pass in bfloat16
beside float32; what is generated from a cache beside whole passes; and training tokens a second in
both. Ends with exit code 1 where something disagrees.
"""

from __future__ import annotations

import argparse
import sys
import time
from copy import deepcopy

import torch
from torch import Tensor

from benchmarks.report import Row, table
from benchmarks.sizes import SIZES, Size
from positions import encodings
from positions.errors import PositionsError
from positions.model import LanguageModel, generate, gpt2_like
from positions.training import seeded
from positions.training.device import check_precision, pick_device

CLOSE = 1e-3
"""Of the largest entry: what float32 kernels that add in another order may differ by."""
CLOSE_IN_BFLOAT16 = 5e-2
STEPS = 20
"""Updates that are timed, after as many to warm up."""


def check(name: str, size: Size, device: torch.device, steps: int = STEPS) -> Row:
    """Compare one encoding on a device with the CPU, and time its training there."""
    own = model(name, size)
    other = deepcopy(own).to(device)
    tokens, targets = size.tokens()
    there = (tokens.to(device), targets.to(device))
    logits, gradient = _passes(own, tokens, targets)
    found, found_gradient = _passes(other, *there)
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        rounded = other(there[0]).float().cpu()
    gaps = {
        "logits": _gap(found, logits),
        "gradients": _gap(found_gradient, gradient),
        "bfloat16": _gap(rounded, logits),
    }
    limits = {"logits": CLOSE, "gradients": CLOSE, "bfloat16": CLOSE_IN_BFLOAT16}
    wrong = [part for part, gap in gaps.items() if not gap <= limits[part]]
    if not _writes_alike(other, there[0][:4, : size.length // 2]):
        wrong.append("generation")
    return Row(
        "gpu-check",
        encoding=name,
        **{part: float(f"{gap:.2g}") for part, gap in gaps.items()},
        agrees="yes" if not wrong else f"no: {', '.join(wrong)}",
        tokens_per_second=_speed(other, there, device, steps, torch.float32),
        tokens_per_second_bfloat16=_speed(other, there, device, steps, torch.bfloat16),
    )


def model(name: str, size: Size) -> LanguageModel:
    """Return a decoder with the same weights each time."""
    sizes = {"width": size.width, "heads": size.heads, "layers": size.layers}
    with seeded(0, "weights"):
        config = gpt2_like(
            "small",
            vocabulary=size.vocabulary,
            max_length=size.length,
            hidden=4 * size.width,
            dropout=0.0,
            **sizes,
        )
        return LanguageModel(config, name).eval()


def _passes(model: LanguageModel, tokens: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Return logits, and the gradient of the loss by the embeddings, on the CPU."""
    model.zero_grad()
    model.loss(tokens, targets).backward()
    gradient = model.transformer.embedding.weight.grad
    assert gradient is not None
    with torch.no_grad():
        return model(tokens).cpu(), gradient.cpu().clone()


def _gap(found: Tensor, expected: Tensor) -> float:
    """Return the largest difference, over the largest entry."""
    return float((found - expected).abs().max() / expected.abs().max())


@torch.no_grad()
def _writes_alike(model: LanguageModel, prompts: Tensor) -> bool:
    """Say whether each token from a cache is the best of a whole pass, but for rounding."""
    written = generate(model, prompts, end=None, max_new=8).tokens
    whole = torch.cat([prompts, written.to(prompts.device)], dim=1)
    logits = model(whole)[:, prompts.shape[1] - 1 : -1]
    chosen = logits.gather(-1, whole[:, prompts.shape[1] :, None]).squeeze(-1)
    return bool((logits.max(-1).values - chosen <= CLOSE * logits.abs().max()).all())


def _speed(
    model: LanguageModel,
    batch: tuple[Tensor, Tensor],
    device: torch.device,
    steps: int,
    dtype: torch.dtype,
) -> float:
    """Return training tokens a second, to three digits."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    seconds = 0.0
    for timed in (False, True):
        _wait(device)
        start = time.perf_counter()
        for _ in range(steps):
            optimizer.zero_grad()
            with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
                loss = model.loss(*batch)
            loss.backward()
            optimizer.step()
        _wait(device)
        seconds = time.perf_counter() - start if timed else 0.0
    return float(f"{steps * batch[0].numel() / seconds:.3g}")


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def main(arguments: list[str] | None = None) -> int:
    """Check every encoding; returns how many disagree."""
    parser = argparse.ArgumentParser(prog="benchmarks.gpu_check", description=__doc__)
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, ...; cpu to try it out")
    parser.add_argument("--size", choices=sorted(SIZES), default="S")
    parser.add_argument("--steps", type=int, default=STEPS, help="updates that are timed")
    asked = parser.parse_args(arguments)
    try:
        device = pick_device(asked.device)
        check_precision(device, "bfloat16")
    except PositionsError as error:
        print(error, file=sys.stderr)
        return 2
    torch.backends.cuda.matmul.allow_tf32 = False
    rows = [check(name, SIZES[asked.size], device, asked.steps) for name in encodings.names()]
    print(table(rows))
    return min(1, sum(row["agrees"] != "yes" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
