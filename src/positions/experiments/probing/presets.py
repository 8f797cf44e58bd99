"""Which tables, measures and seeds belong to a scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from positions.experiments.probing.config import ROUGH, ProbingConfig
from positions.experiments.probing.measures import MEASURES

REAL = (
    "sinusoidal",
    "gpt2",
    "bert-base-uncased",
    "bert-base-uncased-finetuned-a",
    "bert-base-uncased-finetuned-b",
    "bert-base-uncased-finetuned-c",
    "roberta-base",
)
CONTROLS = (
    "gaussian",
    "random-walk",
    "smooth-random",
    "one-hot",
    "ramp",
    "shuffled:gpt2",
    "shuffled:bert-base-uncased-finetuned-a",
    "spectrum-matched:bert-base-uncased-finetuned-a",
)
# Controls that answer one question: a rotation changes no linear probe; noise after row 128 alone
# makes a table that is read as BERT's is.
ROTATED = "rotated:gpt2"
NOISY = f"{ROUGH}:sinusoidal"
NARROW = {
    ROTATED: ("index", "order"),
    NOISY: ("index", "index-regions", "order", "order-regions"),
}
# Their rows have no cosine, or no leading directions.
FLAT = ("one-hot", "ramp")
ABOUT_ROWS = ("invariance", "nearby", "spectrum", "helix", "shift")
# RoBERTa as published: Table 1 on all 514 rows, Table 2 on the first 512, two of them unused.
UNUSED = {"index": 514, "order": 512}

SEEDS = {
    "index": 200,
    "index-paths": 10,
    "index-regions": 50,
    "identification": 10,
    "order": 200,
    "order-splits": 30,
    "order-pairs": 3,
    "order-features": 10,
    "order-regions": 20,
    "selectivity": 20,
    "distance-linear": 3,
    "distance-forms": 3,
}
DRAWS = 5
SMOKE_POSITIONS = 176
SMOKE_TABLES = ("sinusoidal", "gpt2", "bert-base-uncased-finetuned-a", "gaussian")


def laptop() -> list[ProbingConfig]:
    """Return the recorded grid: every measure on every table it suits."""
    return list(_grid((*REAL, *CONTROLS, *NARROW), SEEDS, DRAWS))


def smoke() -> list[ProbingConfig]:
    """Return a grid that runs in seconds: few tables, 176 rows, two seeds or, where slow, one."""
    few = dict.fromkeys(SEEDS, 2) | {"order-pairs": 1, "distance-forms": 1}
    return list(_grid(SMOKE_TABLES, few, draws=2, positions=SMOKE_POSITIONS))


def paper() -> list[ProbingConfig]:
    """Return Tables 1 and 2 as published: one run a cell."""
    tables = ("sinusoidal", "gpt2", "bert-base-uncased")
    cells = [ProbingConfig(table=table, measure=name) for name in UNUSED for table in tables]
    return cells + list(_unused(dict.fromkeys(UNUSED, 1)))


def _grid(
    tables: Sequence[str], seeds: dict[str, int], draws: int, positions: int = 512
) -> Iterator[ProbingConfig]:
    """Yield every measure on every table it suits."""
    for table in tables:
        for name, measure in MEASURES.items():
            if name not in NARROW.get(table, MEASURES) or (table in FLAT and name in ABOUT_ROWS):
                continue
            config = ProbingConfig(table=table, measure=name, positions=positions)
            count = seeds[name] if measure.seeded else draws if config.is_random else 1
            yield config.model_copy(update={"seeds": count})
    if "roberta-base" in tables:
        yield from _unused(seeds)


def _unused(seeds: dict[str, int]) -> Iterator[ProbingConfig]:
    """Yield RoBERTa's cells of Tables 1 and 2 with its two unused rows, as published."""
    for name, positions in UNUSED.items():
        yield ProbingConfig(
            table="roberta-base",
            measure=name,
            seeds=seeds[name],
            positions=positions,
            unused_rows=True,
        )


PRESETS: dict[str, Callable[[], Sequence[ProbingConfig]]] = {
    "smoke": smoke,
    "laptop": laptop,
    "gpu": laptop,
    "paper": paper,
}
