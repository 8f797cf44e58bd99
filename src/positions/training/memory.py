"""What to lower when memory runs out, and by how much it fell short."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from positions.errors import PositionsError
from positions.training.device import free_memory
from positions.training.plan import TrainingPlan

_ON_CPU = re.compile(r"can't allocate memory|not enough memory|bad alloc", re.IGNORECASE)
_BYTES = re.compile(r"tried to allocate (\d+) bytes", re.IGNORECASE)
_UNITS = re.compile(r"tried to allocate ([\d.]+) (KiB|MiB|GiB|TiB)", re.IGNORECASE)
_SIZES = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


class OutOfMemoryError(PositionsError):
    """The batch, the model and its gradients do not fit into memory."""


@contextmanager
def explained_memory(
    plan: TrainingPlan, device: torch.device, where: Callable[[], str]
) -> Iterator[None]:
    """Turn an allocation that failed, on a card or on the CPU, into an `OutOfMemoryError`.

    `where` says what was being done, such as "in step 12".
    """
    try:
        yield
    except (RuntimeError, MemoryError) as error:  # torch.OutOfMemoryError is a RuntimeError
        text = str(error)
        on_card = isinstance(error, torch.OutOfMemoryError)
        if not (on_card or isinstance(error, MemoryError) or _ON_CPU.search(text)):
            raise
        message = f"Out of memory {where()} on {device}{_shortage(text, device)}. {_advice(plan)}"
        raise OutOfMemoryError(message) from error


def _shortage(text: str, device: torch.device) -> str:
    """Say what was asked for, what was free and how much was missing, as far as it is known."""
    asked = _asked(text)
    if asked is None:
        return ""
    free = free_memory(device)
    if free is None or free >= asked:  # fragments, or a limit set elsewhere
        return f": asked for {_readable(asked)}" + (
            "" if free is None else f", and {_readable(free)} is free but not in one piece"
        )
    return (
        f": asked for {_readable(asked)}, {_readable(free)} is free, "
        f"{_readable(asked - free)} is missing"
    )


def _asked(text: str) -> int | None:
    if match := _BYTES.search(text):
        return int(match[1])
    if match := _UNITS.search(text):
        return int(float(match[1]) * _SIZES[match[2]])
    return None


def _advice(plan: TrainingPlan) -> str:
    """Name the settings that lower the need, with values to try."""
    parts = plan.gradient_accumulation
    advice = []
    if parts * 2 <= plan.batch_size:
        advice.append(
            f"raise gradient_accumulation from {parts} to {parts * 2} (the same result up to "
            "rounding, in about half the memory)"
        )
    if plan.batch_size > 1:
        advice.append(f"lower batch_size from {plan.batch_size} to {plan.batch_size // 2}")
    if plan.precision == "float32":
        advice.append('set precision to "bfloat16"')
    advice.append("use shorter sequences or a smaller model")
    return f"To make it fit: {', or '.join(advice)}."


def _readable(size: int) -> str:
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if size >= _SIZES[unit]:
            return f"{size / _SIZES[unit]:,.1f} {unit}"
    return f"{size} bytes"
