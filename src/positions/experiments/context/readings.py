"""What the recorded runs say, as tidy tables: one row a run and context."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from positions.experiments._recorded import Recorded, no_two_alike
from positions.experiments.length_generalization.readings import variant

IDENTITY = ["corpus", "variant", "seed"]
CURVE = ["context", "times", "trained", "loss", "perplexity", "standard_error", "rise"]


def curves(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return corpus, variant, seed and `CURVE`: one row a run that did not diverge, and context.

    `times` is the context in multiples of the one trained with, `trained` whether it is no longer;
    `loss` is in nats a token, `rise` what it is above the same run's at the training context, and
    so the logarithm of the ratio of perplexities. A loss that was not finite is NaN. Raises
    `InvalidValueError` where two runs share corpus, variant and seed.
    """
    rows = []
    for record in _usable(records):
        series, own = record.series, record.config["context"]
        at_own = _number(series["loss"][series["context"].index(own)])
        columns = (series[name] for name in ("context", "loss", "perplexity", "standard_error"))
        for context, loss, perplexity, error in zip(*columns, strict=True):
            rows.append(
                {
                    **_identity(record.config),
                    "context": context,
                    "times": context / own,
                    "trained": context <= own,
                    "loss": _number(loss),
                    "perplexity": _number(perplexity),
                    "standard_error": _number(error),
                    "rise": _number(loss) - at_own,
                }
            )
    return pd.DataFrame(rows, columns=[*IDENTITY, *CURVE])


def nearest(table: pd.DataFrame, times: float) -> pd.DataFrame:
    """Return the rows of each run whose context is nearest to so many times its own.

    Contexts are whole numbers of tokens, and so only near the paper's multiples. A run that has
    none within a twentieth is left out.
    """
    gap = (table["times"] / times - 1).abs()
    least = gap.groupby([table[name] for name in IDENTITY]).transform("min")
    return table[(gap == least) & (gap <= 0.05)]


def _usable(records: Iterable[Recorded]) -> list[Recorded]:
    """Return the runs that did not diverge; raises where two of one kind are given."""
    return [record for record in no_two_alike(records, _identity) if "context" in record.series]


def _identity(settings: Mapping[str, Any]) -> dict[str, object]:
    name = variant(settings["encoding"], settings["encoding_options"])
    return {"corpus": settings["corpus"], "variant": name, "seed": settings["seed"]}


def _number(value: float | None) -> float:
    return math.nan if value is None else value
