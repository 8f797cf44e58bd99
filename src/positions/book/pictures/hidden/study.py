"""The recorded runs that the chapter looks at, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions.book.pictures.length.names import encoding, listed, many
from positions.experiments.hidden_states import readings
from positions.experiments.hidden_states.run import NAME
from positions.experiments.length_generalization.readings import VARIANTS, variant
from positions.runs import Record, provenance_frame

NOTHING = "No run of this preset is recorded yet."


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen encodings.

    `layers` and `places`: as `readings` gives them. `variants`: the encodings recorded, in the
    book's order. `missing`: variant and seed of the runs that the preset has and the records lack.
    """

    preset: str
    records: Sequence[Record]
    layers: pd.DataFrame
    places: pd.DataFrame
    variants: Sequence[str]
    missing: Sequence[tuple[str, int]]


def choose(records: Sequence[Record], preset: str, encodings: Iterable[str]) -> Study:
    """Choose runs by encoding, and find what the preset lacks.

    Raises `InvalidValueError` where two runs share encoding and seed.
    """
    wanted = list(encodings)
    kept = [record for record in records if record.config["encoding"] in wanted]
    layers = readings.layers(kept)
    found = set(layers["variant"])
    known = [name for name in VARIANTS if name in found]
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    return Study(
        preset,
        kept,
        layers,
        readings.places(kept),
        [*known, *sorted(found - set(known))],
        [
            (variant(each.encoding, each.encoding_options), each.seed)
            for each in experiment.configs(preset)
            if each.encoding in wanted and experiment.key(each) not in here
        ],
    )


def notice(study: Study) -> HTML:
    """Return a note that says which runs of the preset are not recorded; empty if all or none."""
    if not study.missing or not study.records:
        return HTML("")
    lacking = listed(
        f"{encoding(name)} (seed {seed})" for name, seed in dict.fromkeys(study.missing)
    )
    text = (
        f"Missing: {many(len(study.missing), 'run')} of this preset, {lacking}. Everything below "
        f"rests on the {len(study.records):,} that are there. <code>positions sweep "
        f"{escape(NAME)} --preset {study.preset}</code> makes the others."
    )
    heading = '<p class="admonition-title">Not recorded yet</p>'
    return HTML(f'<div class="admonition note">{heading}<p>{text}</p></div>')


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
