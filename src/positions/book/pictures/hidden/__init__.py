"""Position in hidden states as pictures, each with the sentences that go with it."""

from positions.book.pictures.hidden import layers, live, places, pretrained, study

__all__ = ["layers", "live", "places", "pretrained", "study"]
