"""Probes: what a simple function can read out of a table's rows."""
