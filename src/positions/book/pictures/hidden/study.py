"""The recorded runs that the chapter looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from positions.book.pictures.length.names import many
from positions.experiments.hidden_states import readings
from positions.experiments.length_generalization.readings import VARIANTS
from positions.runs import Record, provenance_frame

NOTHING = "No run of this preset is recorded yet."


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen encodings.

    `layers` and `places`: as `readings` gives them. `variants`: the encodings recorded, in the
    book's order.
    """

    preset: str
    records: Sequence[Record]
    layers: pd.DataFrame
    places: pd.DataFrame
    variants: Sequence[str]


def choose(records: Sequence[Record], preset: str, encodings: Iterable[str]) -> Study:
    """Choose runs by encoding.

    Raises `InvalidValueError` where two runs share encoding and seed.
    """
    wanted = list(encodings)
    kept = [record for record in records if record.config["encoding"] in wanted]
    layers = readings.layers(kept)
    found = set(layers["variant"])
    known = [name for name in VARIANTS if name in found]
    return Study(
        preset,
        kept,
        layers,
        readings.places(kept),
        [*known, *sorted(found - set(known))],
    )


def summary(study: Study) -> str:
    """Say how many runs there are, of what models, and what was read."""
    if not study.records:
        return NOTHING
    notes = provenance_frame(list(study.records))
    first = study.records[0]
    seeds = len({record.config["seed"] for record in study.records})
    settings, metrics = first.config, first.metrics
    return (
        f"The preset `{study.preset}` here: {many(len(study.records), 'run')} of "
        f"{many(len(study.variants), 'encoding')} with {many(seeds, 'seed')}, "
        f"{notes['seconds'].sum() / 3600:.1f} hours of computing in all. The models have "
        f"{settings['layers']} layers of width {settings['width']} and are trained for "
        f"{settings['steps']:,} steps on windows of {settings['context']} tokens. Read are "
        f"{metrics['texts']:,.0f} texts of as many tokens from the test part. The probe learns on "
        f"{metrics['train_places']:,.0f} places and is tested on {metrics['test_places']:,.0f}, in "
        "other texts and on other tokens."
    )
