"""Language models by objective and position table, as pictures with the sentences that tell it."""

from positions.book.pictures.language import gains, live, offsets, paper, setup, skips, study

__all__ = ["gains", "live", "offsets", "paper", "setup", "skips", "study"]
