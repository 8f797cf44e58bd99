"""The attention of trained models as pictures, each with the sentences that say what it shows."""

from positions.book.pictures.attention import apart, distances, live, metric, profile, study

__all__ = ["apart", "distances", "live", "metric", "profile", "study"]
