"""Text classification by position table, as pictures, each with the sentences that tell it."""

from positions.book.pictures.classification import (
    arms,
    gaps,
    length,
    live,
    order,
    scores,
    sets,
    study,
)

__all__ = ["arms", "gaps", "length", "live", "order", "scores", "sets", "study"]
