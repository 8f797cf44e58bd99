"""Sweep twelve toy runs with two workers, to be killed or interrupted from outside."""

import sys

from toy import TOY, Toy

from positions.runs import Store, run_missing

if __name__ == "__main__":
    folder, store = sys.argv[1:]
    configs = [Toy(seed=seed, folder=folder) for seed in range(3)]
    configs += [Toy(seed=seed, folder=folder, does="wait") for seed in range(3, 6)]
    print(run_missing(TOY, configs, Store(store), "smoke", jobs=2, progress=False))
