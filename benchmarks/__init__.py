"""Speed, beside peers and in one run; `python -m benchmarks --help` says how, README.md what."""
