"""What can be read out of tables, states and results: probes, geometry, statistics."""
