"""Sweep a few toy runs, to be killed, interrupted or left by their scheduler from outside."""

import sys

from toy import TOY, Toy

from positions.errors import PositionsError
from positions.runs import Store, engines, run_missing

if __name__ == "__main__":
    folder, store, *address = sys.argv[1:]
    configs = [Toy(seed=seed, folder=folder) for seed in range(3)]
    configs += [Toy(seed=seed, folder=folder, does="wait") for seed in range(3, 6)]
    with engines.dask(*address) if address else engines.local(2) as executor:
        try:
            report = run_missing(
                TOY, configs, Store(store), "smoke", progress=False, executor=executor
            )
        except PositionsError as error:
            sys.exit(f"{type(error).__name__}: {error}")
    print(report)
