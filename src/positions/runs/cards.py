"""The GPUs of this machine, and how many runs share one."""

from __future__ import annotations

import os

from positions.errors import InvalidValueError

VISIBLE = "CUDA_VISIBLE_DEVICES"


def names() -> list[str]:
    """Return the cards that a process started now would see, as `CUDA_VISIBLE_DEVICES` names them.

    Without a card, or without CUDA, the list is empty.
    """
    import torch

    count = torch.cuda.device_count()
    listed = os.environ.get(VISIBLE)
    if listed is None:
        return [str(index) for index in range(count)]
    return [card.strip() for card in listed.split(",")][:count]


def jobs(per_card: int | None, asked: int | None, cards: list[str]) -> int:
    """Return how many runs go at once.

    `asked` says it directly; else `per_card` for each card, one where it is None; without a card,
    one for each core that this process may use. Raises `InvalidValueError` where both are given,
    and for `per_card` without a card.
    """
    if per_card is not None and asked is not None:
        raise InvalidValueError("Give the number of processes or the number per GPU, not both.")
    if per_card is not None and not cards:
        raise InvalidValueError(
            f"No GPU is visible to PyTorch here, and {VISIBLE} is "
            f"{os.environ.get(VISIBLE, 'not set')}. Leave the number per GPU out to use the CPU."
        )
    if asked is not None:
        return asked
    if cards:
        return len(cards) * (per_card or 1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def use(card: str) -> None:
    """Let this process see one card only; to be called before it first asks CUDA for anything."""
    os.environ[VISIBLE] = card
