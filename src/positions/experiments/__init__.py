"""The experiments: each a pure function from a frozen config to an outcome.

An experiment `NAME` is the module (or package) `positions.experiments.NAME` that holds
`EXPERIMENT`, an `Experiment`. Adding the file is all it takes to be listed. Names that start with
an underscore, and `base`, are no experiments. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from positions.errors import unknown_name
from positions.experiments.base import Config, Experiment, Outcome

__all__ = ["Config", "Experiment", "Outcome", "get", "names"]


def names() -> list[str]:
    """Return the names of all experiments, sorted; imports none of them."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name for name in found if name != "base" and not name.startswith("_"))


def get(name: str) -> Experiment[Any]:
    """Return the experiment of that name; raises `UnknownNameError` where there is none."""
    if name not in names():
        raise unknown_name("experiment", name, names())
    experiment: Experiment[Any] = importlib.import_module(f"{__name__}.{name}").EXPERIMENT
    return experiment
