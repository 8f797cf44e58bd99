"""The shape of a position table: maps, invariance, rank, spectrum, helix, shift operator."""
