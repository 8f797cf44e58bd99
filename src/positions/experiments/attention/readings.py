"""What the recorded runs say, as tidy tables: divergences, and shares of attention by distance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from positions.experiments._recorded import Recorded, no_two_alike
from positions.experiments.attention.config import AGAINST
from positions.experiments.attention.measure import FORMS
from positions.experiments.length_generalization.readings import variant
from positions.tasks.scratchpad import NONE

IDENTITY = ["task", "variant", "seed"]
_DIVERGENCES = [
    *IDENTITY,
    *("against", "form", "layer", "length"),
    *("trained", "iid", "other_iid", "divergence"),
]
_DISTANCES = [*IDENTITY, "layer", "distance", "most_attended", "mass", "even"]
_RUNS = [*IDENTITY, "iid", "ood", "near", "far", "near_mass", "far_mass", "near_even", "far_even"]


def runs(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return task, variant, seed, iid, ood, near, far ...: one row a run that did not diverge.

    See `run` for the columns. Raises `InvalidValueError` where two runs share task, variant and
    seed.
    """
    rows = [
        {**_identity(record.config), **{name: record.metrics.get(name) for name in _RUNS[3:]}}
        for record in _usable(records)
    ]
    return pd.DataFrame(rows, columns=_RUNS)


def divergences(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return divergences in nats, one row a run, comparison, form, layer (from 1) and length.

    `against` is one of `AGAINST`, `form` one of `FORMS`; `trained` says whether the length is
    among those trained on; `iid` and `other_iid` are what the two models solve within their
    training lengths. What a comparison lacks (NoPE has none of its own seed) has no rows.
    Raises as `runs`.
    """
    rows = [
        {
            **_identity(record.config),
            "against": against,
            "form": form,
            "layer": layer,
            "length": length,
            "trained": length <= record.config["longest"],
            "iid": record.metrics.get("iid"),
            "other_iid": record.metrics.get(f"{against}_iid"),
            "divergence": value,
        }
        for record in _usable(records)
        for against in AGAINST
        for form in FORMS
        for length, layers in zip(
            record.series["length"],
            record.series.get(f"{against}_{form}") or [[]] * len(record.series["length"]),
            strict=True,
        )
        for layer, value in enumerate(layers, 1)
    ]
    return pd.DataFrame(rows, columns=_DIVERGENCES)


def distances(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return shares of attention by distance, one row a run, layer (from 1) and bin's centre.

    `most_attended`: by the key that gets most; `mass`: by all that keys get; `even`: of a head
    that looks at everything alike. Raises as `runs`.
    """
    rows = [
        {
            **_identity(record.config),
            "layer": layer,
            "distance": centre,
            "most_attended": most,
            "mass": mass,
            "even": even,
        }
        for record in _usable(records)
        for layer, by_bin in enumerate(
            zip(record.series["most_attended"], record.series["mass"], strict=True), 1
        )
        for centre, most, mass, even in zip(
            record.series["bin"], *by_bin, record.series["even"], strict=True
        )
    ]
    return pd.DataFrame(rows, columns=_DISTANCES)


def task_of(settings: Mapping[str, Any]) -> str:
    """Return the name of a task with its format: "scan", "addition, full scratchpad"."""
    form = settings.get("scratchpad", NONE)
    return str(settings["task"] if form == NONE else f"{settings['task']}, {form} scratchpad")


def means(table: pd.DataFrame, *by: str) -> pd.DataFrame:
    """Return the mean divergence of each run, comparison and form, and of each value of `by`.

    `table` is `divergences`. Lengths count alike, and so do layers.
    """
    keys = [*IDENTITY, "against", "form", *by]
    return table.groupby(keys, sort=False).divergence.mean().reset_index()


def _usable(records: Iterable[Recorded]) -> list[Recorded]:
    """Return the runs that did not diverge; raises where two of one kind are given."""
    return [record for record in no_two_alike(records, _identity) if record.series]


def _identity(settings: Mapping[str, Any]) -> dict[str, object]:
    name = variant(settings["encoding"], settings["encoding_options"])
    return {"task": task_of(settings), "variant": name, "seed": settings["seed"]}
