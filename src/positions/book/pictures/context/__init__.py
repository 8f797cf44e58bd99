"""Language models past their context as pictures, each with the sentences that go with it."""

from positions.book.pictures.context import breaks, curves, live, paper, setup, study

__all__ = ["breaks", "curves", "live", "paper", "setup", "study"]
