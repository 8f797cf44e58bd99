"""Pictures of the theorems on decoders without position encoding: what the weights do, measured."""

from positions.book.pictures.theory.absolute import by_norm, errors, outside, worst_by_length
from positions.book.pictures.theory.relative import added_to_logits, entries_needed, in_waves
from positions.book.pictures.theory.shared import LEAST
from positions.book.pictures.theory.symmetry import alike, drawing_together

__all__ = [
    "LEAST",
    "added_to_logits",
    "alike",
    "by_norm",
    "drawing_together",
    "entries_needed",
    "errors",
    "in_waves",
    "outside",
    "worst_by_length",
]
