"""Position tables, pre-trained or made up, by name."""

from positions.tables.registry import at_hand, derived_names, load, names, options
from positions.tables.table import Table

__all__ = ["Table", "at_hand", "derived_names", "load", "names", "options"]
