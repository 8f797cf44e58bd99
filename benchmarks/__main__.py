"""Measure speed beside peers, in one run.

    python -m benchmarks training generation    # at the sizes XS and S
    python -m benchmarks training --size M      # a size of choice: XS, S or M
    python -m benchmarks all --out FILE.json    # everything, about twenty minutes

Prints tables and, with --out, writes the same as JSON. `benchmarks/README.md` says what the
numbers mean.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from benchmarks import machine, timing
from benchmarks.report import Row, table
from benchmarks.sizes import SIZES, Size, size
from positions.errors import PositionsError
from positions.runs import provenance

SIZED = ("training", "generation", "sweep")
NAMES = (*SIZED, "encodings", "attention", "whole-run")
HELP = {
    "names": f"all, or some of: {', '.join(NAMES)}",
    "--size": f"for {', '.join(SIZED)}: one of {', '.join(SIZES)}; may be given again",
    "--out": "a JSON file, or a folder for one that is named by the processor",
    "--threads": "default: one for each core",
    "--clock": "wall, or processor: computing time alone, for a busy machine and one thread",
}
USUAL = {"training": ["XS", "S", "M"], "generation": ["XS", "S", "M"], "sweep": ["XS"]}


def main(arguments: list[str] | None = None) -> None:
    """Read the command line, measure, print and write."""
    asked = _parser().parse_args(arguments)
    torch.set_num_threads(asked.threads or machine.cores())
    timing.use_clock(asked.clock)
    names = NAMES if "all" in asked.names else asked.names
    described = machine.description()
    begun = datetime.now(UTC)
    rows: list[Row] = []
    for name in names:
        for part, measure in _measures(name, asked.size):
            print(f"{name} {part}".strip(), "...", file=sys.stderr, flush=True)
            rows += measure()
    print(table(rows))
    if asked.out:
        commit, dirty = provenance.commit()
        found = {
            "begun": begun.isoformat(timespec="seconds"),
            "seconds": round((datetime.now(UTC) - begun).total_seconds()),
            "commit": commit,
            "dirty": dirty,
            "clock": asked.clock,
            "machine": described,
            "sizes": {each.name: each.facts() for each in SIZES.values()},
            "rows": rows,
        }
        write(
            asked.out / f"{machine.slug(described)}.json" if asked.out.is_dir() else asked.out,
            found,
        )


def write(path: Path, found: dict[str, Any]) -> None:
    """Write results as JSON, one row a line."""
    rows = ",\n".join("  " + json.dumps(row) for row in found["rows"])
    head = json.dumps({**found, "rows": []}, indent=1)
    path.write_text(head.replace('"rows": []', f'"rows": [\n{rows}\n ]') + "\n")
    print(f"Written: {path}", file=sys.stderr)


def _measures(name: str, sizes: list[str] | None) -> list[tuple[str, Callable[[], list[Row]]]]:
    """Return the parts of one benchmark; each is imported only where it is asked for."""
    module: Any = __import__(f"benchmarks.{name.replace('-', '_')}", fromlist=["run"])
    if name not in SIZED:
        return [("", module.run)]

    def at(chosen: Size) -> Callable[[], list[Row]]:
        return lambda: module.run(chosen)

    return [(each, at(size(each))) for each in sizes or USUAL[name]]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for flags, options in (
        (["names"], {"nargs": "+", "choices": ("all", *NAMES), "metavar": "NAME"}),
        (["--size"], {"action": "append", "choices": list(SIZES), "metavar": "SIZE"}),
        (["--out"], {"type": Path, "metavar": "FILE"}),
        (["--threads"], {"type": int, "metavar": "NUMBER"}),
        (["--clock"], {"choices": list(timing.CLOCKS), "default": "wall", "metavar": "CLOCK"}),
    ):
        parser.add_argument(*flags, help=HELP[flags[0]], **options)
    return parser


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # here, as it holds for the whole process
    try:
        main()
    except PositionsError as error:
        sys.exit(str(error))
