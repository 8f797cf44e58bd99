"""What the probing records say of each table, ready for a claim's test."""

from __future__ import annotations

from dataclasses import dataclass, field

from positions.claims.base import Evidence, Figure
from positions.claims.rules import figure
from positions.runs import Record

SINUSOID, GPT2 = "sinusoidal", "gpt2"
BERT, ROBERTA = "bert-base-uncased", "roberta-base"
COPIES = tuple(f"{BERT}-finetuned-{letter}" for letter in "abc")

_TITLES = {ROBERTA: "RoBERTa's table", BERT: "BERT's table", GPT2: "GPT-2's table"}
# Probed by the authors with the two rows that no token uses.
_WITH_UNUSED_ROWS = {"index", "order"}


@dataclass
class TableReadings:
    """The probing records behind one claim; every record asked for is noted in `used`.

    BERT's table stands for itself where it is recorded, else three fine-tuned copies stand for
    it: `tables(BERT)` names whichever it is.
    """

    evidence: Evidence
    used: list[str] = field(default_factory=list)

    def record(self, table: str, measure: str) -> Record | None:
        """Return the record of a measure on a table, None where there is none."""
        unused = table == ROBERTA and measure in _WITH_UNUSED_ROWS
        for record in self.evidence.records("probing"):
            config = record.config
            found = config["table"], config["measure"], config["unused_rows"]
            if found == (table, measure, unused):
                self.used.append(record.key)
                return record
        return None

    def by_seed(self, table: str, measure: str, metric: str) -> dict[int, float]:
        """Return a metric by seed, empty where it is not recorded."""
        record = self.record(table, measure)
        values = record.series.get(f"{metric}_by_seed", []) if record else []
        return {seed: value for seed, value in enumerate(values) if value is not None}

    def number(self, table: str, measure: str, metric: str) -> float | None:
        """Return a metric that does not depend on the seed, None where it is not recorded."""
        record = self.record(table, measure)
        return record.metrics.get(metric) if record else None

    def bands(self, table: str, measure: str, name: str) -> dict[str, float]:
        """Return a series over stretches of the table, by the rows of each."""
        record = self.record(table, measure)
        if record is None:
            return {}
        starts = record.series["band_start"]
        width = starts[1] - starts[0] if len(starts) > 1 else 0
        rows = [f"rows {start} to {start + width - 1}" for start in starts]
        return dict(zip(rows, record.series[name], strict=True))

    def tables(self, *names: str) -> list[str]:
        """Return the recorded tables of these names, BERT's copies in its place."""
        found = []
        for name in names:
            own = self._recorded(name)
            stand_ins = [copy for copy in COPIES if self._recorded(copy)]
            found += [name] if own else stand_ins if name == BERT else []
        return found

    def missing(self, *names: str) -> list[str]:
        """Return those of these names that nothing is recorded for."""
        return [name for name in names if not self.tables(name)]

    def figure(self, name: str, measure: str, metric: str, published: float | None) -> Figure:
        """Return a figure over seeds, and over the copies where they stand for BERT."""
        values = [
            value
            for table in self.tables(name)
            for value in self.by_seed(table, measure, metric).values()
        ]
        return figure(name, values, published)

    def caveats(self, *names: str) -> str:
        """Say which tables are missing or represented by others."""
        words = ""
        if BERT in names and set(self.tables(BERT)) & set(COPIES):
            copies = self.tables(BERT)
            noun = "copies" if len(copies) > 1 else "copy"
            words += f" BERT is represented by {len(copies)} fine-tuned {noun} of its table."
        for name in self.missing(*names):
            words += f" {_TITLES.get(name, name)} ({name}) has no recorded runs, so it is left out."
        return words

    def keys(self) -> tuple[str, ...]:
        """Return the keys of all records asked for, each once."""
        return tuple(dict.fromkeys(self.used))

    def _recorded(self, name: str) -> bool:
        return any(item.config["table"] == name for item in self.evidence.records("probing"))
