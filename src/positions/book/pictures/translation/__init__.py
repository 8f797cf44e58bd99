"""Translation by the tables of encoder and decoder, as pictures and sentences."""

from positions.book.pictures.translation import examples, grid, length, live, paper, study

__all__ = ["examples", "grid", "length", "live", "paper", "study"]
