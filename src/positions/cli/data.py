"""The command `data`: which external files are at hand, and where the others come from."""

from __future__ import annotations

from itertools import groupby

from positions import paths
from positions.cli.messages import table


def show() -> None:
    """Show which data are at hand, and where others come from."""
    from positions.data import available

    folder = paths.data()
    print(f"Data folder: {folder or f'none (set {paths.DATA_VARIABLE} to one)'}")
    print(f"Cache:       {paths.cache()}")
    everything = available()
    for family, group in groupby(everything, key=lambda item: item[0].family):
        items = list(group)
        here = sum(path is not None for _, path in items)
        print(f"\n{family}: {here} of {len(items)} files at hand")
        table(
            (resource.name, str(path) if path else f"not at hand: {resource.origin}")
            for resource, path in items
        )
    missing = sum(path is None for _, path in everything)
    print(f"\n{len(everything) - missing} of {len(everything)} files at hand.")
    if missing:
        print("The others are downloaded when first used, where they have an address.")
