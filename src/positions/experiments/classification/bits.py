"""Which texts a model got right, in a few characters."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from positions.errors import DamagedFileError


def pack(right: Iterable[bool]) -> str:
    """Return one bit a text in base64."""
    return base64.b64encode(np.packbits(np.array(list(right), dtype=bool)).tobytes()).decode()


def unpack(text: str, count: int) -> NDArray[np.bool_]:
    """Return the first `count` bits, bool (count,).

    Raises `DamagedFileError` where there are not as many, give or take the rest of a byte.
    """
    try:
        found = np.frombuffer(base64.b64decode(text, validate=True), dtype=np.uint8)
    except binascii.Error as error:
        raise DamagedFileError(f"Recorded answers can't be read ({error}). {_AGAIN}") from None
    if len(found) != -(-count // 8):
        raise DamagedFileError(
            f"Recorded answers are {8 * len(found)} bits, and there are {count} texts. {_AGAIN}"
        )
    return np.unpackbits(found, count=count).astype(bool)


_AGAIN = "Bring the results back from git, or delete the record and run it again."
