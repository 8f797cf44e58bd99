"""One seed for every source of chance: torch, its GPUs, Python and NumPy.

Every training step starts from a seed of its own, made from the plan's seed and the number of the
step. So a resumed run needs no stored generator: it draws what the uninterrupted run drew. And how
often a run evaluates has no influence on what it draws in training.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import torch


def mix(*keys: int | str) -> int:
    """Return 63 bits that depend on every key and on nothing else."""
    text = ":".join(map(str, keys)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) >> 1


def seed_all(*keys: int | str) -> None:
    """Seed the global generators of torch, CUDA, Python and NumPy from the keys."""
    seed = mix(*keys)
    # torch.manual_seed does the same at a hundred times the price: too much for every step
    torch.default_generator.manual_seed(seed)
    if _has_cuda():
        torch.cuda.manual_seed_all(seed)
    random.seed(seed)
    np.random.seed(seed % 2**32)


def generator(*keys: int | str) -> torch.Generator:
    """Return a torch generator of its own (on the CPU), seeded from the keys."""
    return torch.Generator().manual_seed(mix(*keys))


@contextmanager
def preserved() -> Iterator[None]:
    """Leave the global generators, in the end, as they were found."""
    torch_state = torch.get_rng_state()
    cuda_states = torch.cuda.get_rng_state_all() if _has_cuda() else []
    python_state = random.getstate()
    numpy_state = np.random.get_state()
    try:
        yield
    finally:
        torch.set_rng_state(torch_state)
        if cuda_states:
            torch.cuda.set_rng_state_all(cuda_states)
        random.setstate(python_state)
        np.random.set_state(numpy_state)


@contextmanager
def seeded(*keys: int | str) -> Iterator[None]:
    """Seed the global generators for the block only; use it to build a model.

    >>> with seeded(3):
    ...     first = torch.rand(1)
    >>> with seeded(3):
    ...     bool(torch.rand(1) == first)
    True
    """
    with preserved():
        seed_all(*keys)
        yield


@cache
def _has_cuda() -> bool:
    return torch.cuda.is_available()
