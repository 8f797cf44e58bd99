"""Random draws that are the same bytes on every machine and under every version of NumPy."""

from __future__ import annotations

import math
import zlib

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


class Draws:
    """A stream of random numbers, named by a seed, a purpose and whole numbers.

    It is built on the raw words of PCG64, which NumPy promises never to change, and not on the
    methods of `numpy.random.Generator`, which it may. Equal names give equal draws, whatever was
    drawn before and elsewhere; different names give independent ones.
    """

    def __init__(self, seed: int, purpose: str, *key: int) -> None:
        words = (seed, zlib.crc32(purpose.encode()), *key)
        self._bits = np.random.PCG64(np.random.SeedSequence(words))

    def integers(self, low: int, high: int, shape: int | tuple[int, ...]) -> Whole:
        """Draw whole numbers, low <= number < high, each as likely.

        high - low is at most 2^32; the deviation from equal chances is below (high - low) / 2^32.
        """
        bound = np.uint64(high - low)
        scaled = (self._words(shape) >> np.uint64(32)) * bound >> np.uint64(32)
        return scaled.astype(np.int64) + low

    def weighted(self, weights: list[int], shape: int | tuple[int, ...]) -> Whole:
        """Draw indices into `weights`, each as likely as its whole-number weight says."""
        edges = np.cumsum(weights)
        return np.searchsorted(edges, self.integers(0, int(edges[-1]), shape), side="right")

    def permutations(self, rows: int, items: int) -> Whole:
        """Draw `rows` orders of `items` things, each order as likely; (rows, items)."""
        return np.argsort(self._words((rows, items)), axis=-1, kind="stable")

    def permutation(self, items: int) -> list[int]:
        """Draw one order of `items` things."""
        return self.permutations(1, items)[0].tolist()

    def _words(self, shape: int | tuple[int, ...]) -> NDArray[np.uint64]:
        """Take the next raw 64-bit words."""
        count = math.prod(shape) if isinstance(shape, tuple) else shape
        return np.asarray(self._bits.random_raw(count), dtype=np.uint64).reshape(shape)
