"""The recorded runs that the chapter looks at, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions.analysis.statistics import intervals
from positions.book import records as records_
from positions.book.pictures.length.names import encoding, listed
from positions.experiments.context import readings
from positions.experiments.context.config import NAME
from positions.experiments.length_generalization.readings import VARIANTS, variant
from positions.runs import Record
from positions.tasks import corpora

NOTHING = "No run of this preset is recorded yet."


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen encodings.

    `curves`: as `readings.curves` gives it. `variants`: the encodings recorded, in the book's
    order; `corpora`: the texts. `missing`: corpus, variant and seed of the runs that the preset
    has and the records lack.
    """

    preset: str
    records: Sequence[Record]
    curves: pd.DataFrame
    variants: Sequence[str]
    corpora: Sequence[str]
    missing: Sequence[tuple[str, str, int]]


def choose(records: Sequence[Record], preset: str, encodings: Iterable[str]) -> Study:
    """Choose runs by encoding, and find what the preset lacks.

    Raises `InvalidValueError` where two runs share corpus, encoding and seed.
    """
    wanted = list(encodings)
    kept = [record for record in records if record.config["encoding"] in wanted]
    table = readings.curves(kept)
    found = set(table["variant"])
    known = [name for name in VARIANTS if name in found]
    here = set(table["corpus"])
    texts = [name for name in corpora.names() if name in here]
    return Study(
        preset,
        kept,
        table,
        [*known, *sorted(found - set(known))],
        [*texts, *sorted(here - set(texts))],
        _missing(records, preset, wanted),
    )


def notice(study: Study) -> HTML:
    """Return a note that says which runs of the preset are not recorded; empty if all or none."""
    if not study.records:
        return HTML("")
    table = pd.DataFrame(study.missing, columns=["corpus", "variant", "seed"])
    items = [
        f"{escape(title(str(name)))}: {escape(_lacking(part))}"
        for name, part in table.groupby("corpus", sort=False)
    ]
    more = (
        "A text that is not at hand is left out, and <code>positions data</code> says how to get "
        "it."
    )
    return records_.notice(NAME, study.preset, len(table), len(study.records), items, more)


def title(corpus: str) -> str:
    """Return what a reader calls a corpus; its name where it is registered no more."""
    return corpora.title(corpus) if corpus in corpora.names() else corpus


def over_seeds(study: Study, column: str) -> pd.DataFrame:
    """Return corpus, variant, context, times, mean, low, high (95 % over seeds) and seeds.

    Of one seed low and high are the mean. Contexts that a run lacks are left out of its kind.
    """
    columns = ["corpus", "variant", "context", "times", "mean", "low", "high", "seeds"]
    parts = []
    for keys, part in study.curves.groupby(["corpus", "variant"], sort=False):
        corpus, name = map(str, keys)
        wide = part.pivot_table(index="seed", columns=["context", "times"], values=column)
        wide = wide.dropna(axis=1)
        if not wide.size:
            continue
        mean, low, high = intervals(wide.to_numpy())
        found = wide.columns.to_frame(index=False)
        found = found.assign(corpus=corpus, variant=name, mean=mean, low=low, high=high)
        found["low"] = found["low"].fillna(found["mean"])
        found["high"] = found["high"].fillna(found["mean"])
        parts.append(found.assign(seeds=len(wide)))
    if not parts:
        return pd.DataFrame(columns=columns)
    return pd.concat(parts, ignore_index=True)[columns]


def _lacking(part: pd.DataFrame) -> str:
    names = [encoding(name) for name in dict.fromkeys(part["variant"])]
    seeds = sorted(set(part["seed"]))
    whole = len(part) == len(names) * len(seeds)
    which = f"seed{'s' * (len(seeds) > 1)} {listed(map(str, seeds))}"
    return f"{listed(names)}, {which if whole else f'some of the {which}'}"


def _missing(
    records: Sequence[Record], preset: str, encodings: Iterable[str]
) -> list[tuple[str, str, int]]:
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    return [
        (config.corpus, variant(config.encoding, config.encoding_options), config.seed)
        for config in experiment.configs(preset)
        if config.encoding in encodings and experiment.key(config) not in here
    ]
