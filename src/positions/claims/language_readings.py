"""What the records of language models say, ready for a claim's test."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from positions import published
from positions.claims.base import Evidence
from positions.claims.table_readings import BERT, COPIES, GPT2, ROBERTA
from positions.experiments.language_modelling import readings
from positions.experiments.language_modelling.config import NAME
from positions.experiments.language_modelling.presets import SKIPPED
from positions.experiments.language_modelling.text import OBJECTIVES
from positions.tasks.corpora import generated

TABLES = (GPT2, BERT, ROBERTA)
PUBLISHED_CORPUS = "wikitext-2"

Key = tuple[str, int]


def printed() -> dict[str, float]:
    """Return what skipped positions cost in the paper, in nats, by "objective, table".

    The difference of the logarithms of the two perplexities on WikiText-2; none where one of them
    is not at hand.
    """
    rows = published.load("position-embeddings/language-modelling").dropna(subset="value")
    rows = rows[rows["corpus"] == PUBLISHED_CORPUS]
    cells = rows.set_index(["objective", "encoding", "rows"])["value"].map(math.log)
    found = {}
    for objective, table in dict.fromkeys(zip(rows["objective"], rows["encoding"], strict=True)):
        both = [(objective, table, kind) for kind in ("plain", "skipped")]
        if all(cell in cells.index for cell in both):
            plain, skipped = (float(cells[cell]) for cell in both)
            found[f"{objective}, {table}"] = skipped - plain
    return found


class LanguageReadings:
    """The runs behind a claim: pre-trained tables on real text, plain and skipped.

    BERT's table stands for itself where it is recorded, else its recorded copies stand for it.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.preset = evidence.preset
        self.records = [
            record
            for record in evidence.records(NAME)
            if record.config["corpus"] != generated.NAME and record.config["frozen"]
        ]
        found = readings.skipped(self.records)
        stride = SKIPPED["stride"]
        self.costs = found[(found["first"] == 0) & (found["stride"] == stride)]

    def tables(self, name: str) -> list[str]:
        """Return the recorded tables that a name stands for, with runs trained on skipped rows."""
        recorded = set(self.costs.dropna(subset="trained")["table"])
        if name == BERT and BERT not in recorded:
            return [copy for copy in COPIES if copy in recorded]
        return [name] if name in recorded else []

    def cost(self, objective: str, *names: str, kind: str = "trained") -> dict[Key, float]:
        """Return what skipping costs by table and seed, in nats a token.

        `kind`: "trained" with the skipped rows, as in the paper, or "swapped" in for the test.
        """
        wanted = [table for name in names for table in self.tables(name)]
        costs = self.costs
        chosen = costs[(costs["objective"] == objective) & costs["table"].isin(wanted)]
        chosen = chosen.dropna(subset=kind)
        # several corpora are several measurements of one table and seed
        means = chosen.groupby(["table", "seed"])[kind].mean()
        return {(str(table), int(seed)): float(value) for (table, seed), value in means.items()}

    def missing(self) -> list[str]:
        """Return the tables of the paper that lack runs of one objective or the other."""
        return [
            name
            for name in TABLES
            if not all(self.cost(objective, name) for objective in OBJECTIVES)
        ]

    def seeds(self) -> int:
        """Return the fewest seeds that both objectives share on any table that both have."""
        one, other = (set(self.cost(objective, *TABLES)) for objective in OBJECTIVES)
        counts = pd.Series([table for table, _ in one & other], dtype=str).value_counts()
        return int(counts.min()) if len(counts) else 0


def mean(values: Mapping[Key, float]) -> float:
    """Return the mean over tables and seeds."""
    return sum(values.values()) / len(values)
