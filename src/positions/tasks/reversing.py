"""Reversing a list of symbols (Kazemnejad et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from positions.tasks.copying import ListTask


@dataclass(frozen=True, kw_only=True)
class Reversal(ListTask):
    """The list reversed, then nothing, or that again, or the list as it is."""

    word: ClassVar[str] = "Reverse:"
