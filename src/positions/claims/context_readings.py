"""What the records of language models past their context say, ready for a claim's test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.rules import LEVEL, Step, correct, decide, explain_steps
from positions.experiments.context.config import NAME
from positions.experiments.context.readings import curves, nearest
from positions.words import many

Run = tuple[str, int]
"""A corpus and a seed: what runs of two encodings are paired by."""


class ContextReadings:
    """The runs behind one claim, and what they reach at multiples of their training context."""

    def __init__(self, evidence: Evidence) -> None:
        self.preset = evidence.preset
        self._records = evidence.records(NAME)
        self.table = curves(self._records)

    def missing(self, *variants: str) -> list[str]:
        """Return those of these variants that nothing is recorded for."""
        return [name for name in variants if name not in set(self.table["variant"])]

    def at(self, times: float, column: str, *variants: str) -> pd.DataFrame:
        """Return loss, perplexity or rise near so many times the training context.

        One row a corpus and seed that all variants have, one column a variant.
        """
        chosen = nearest(self.table, times)
        wide = chosen.pivot_table(index=["corpus", "seed"], columns="variant", values=column)
        return wide.reindex(columns=list(variants)).dropna()

    def untested(self, claim: Claim, *variants: str) -> Finding:
        """Say that there is nothing to judge by, and how to get it."""
        return untested(
            claim,
            f"No recorded runs of {', '.join(self.missing(*variants))}: it takes {claim.missing}. "
            f"`positions sweep {NAME} --preset {self.preset}` records them.",
        )

    def finding(
        self, claim: Claim, steps: Sequence[Step], ours: Iterable[Figure], context: Iterable[str]
    ) -> Finding:
        """Put a finding together.

        Figures of models a thousand times smaller, on other texts, are no match for the published
        ones and stand apart from them: the direction alone is judged.
        """
        corrected = correct(steps)
        too_few = _too_few(corrected)
        status: Status = "undecided" if too_few else decide(corrected)
        parts = [
            too_few,
            explain_steps(corrected, "corpus and seed") if corrected else "",
            *context,
            self._scale(),
        ]
        keys = tuple(getattr(record, "key", "") for record in self._records)
        reason = " ".join(part for part in parts if part)
        return Finding(status, reason, (*claim.figures(), *ours), keys)

    def _scale(self) -> str:
        """Say how large our models are."""
        sizes = [record.metrics["parameters"] or 0.0 for record in self._records]
        if not sizes:
            return ""
        middle = sorted(sizes)[len(sizes) // 2] / 1e6
        return (
            f"Judged for direction: our models have {middle:.1f} million weights, the paper's "
            "1,260 million."
        )


def by_run(values: pd.Series) -> dict[Run, float]:
    """Return a column of `ContextReadings.at` as `rules.compare` takes it."""
    corpora, seeds = (values.index.get_level_values(name) for name in ("corpus", "seed"))
    return dict(zip(zip(corpora, seeds, strict=True), values.astype(float), strict=True))


def _too_few(steps: Sequence[Step]) -> str:
    """Say why no outcome could have given a verdict; empty where one could."""
    if not steps:
        return "No corpus and seed has runs of all encodings compared."
    fewest = min(step.difference.n for step in steps)
    lowest = min(1.0, len(steps) * 2.0 ** (1 - fewest))
    if lowest < LEVEL:
        return ""
    pairs = many(fewest, "pair")
    return (
        f"{pairs} of corpus and seed cannot give a p below {lowest:.2g}, which is too few to "
        "judge by."
    )
