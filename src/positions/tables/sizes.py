"""Sizes of computed tables."""

from positions.checks import check_whole
from positions.errors import InvalidValueError

POSITIONS = 512  # of BERT; the part of GPT-2's table that Wang & Chen (2020) used
WIDTH = 768  # of BERT, RoBERTa and GPT-2
LARGEST = 1 << 28  # numbers in a table: a gigabyte of float32


def check_size(positions: int, width: int) -> None:
    """Raise `InvalidValueError` where a computed table can't have that size."""
    positions = check_whole("positions", positions, minimum=1)
    width = check_whole("width", width, minimum=1)
    if positions * width > LARGEST:
        raise InvalidValueError(
            f"A table of {positions} x {width} is too large: at most {LARGEST:,} numbers."
        )
