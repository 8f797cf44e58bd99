"""Answers to the questions of the headlines, each empty where no record bears it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import fmean

from positions import encodings
from positions.analysis.statistics import Difference, paired_difference
from positions.book.pictures import attention, classification, context, length, measures, scratchpad
from positions.book.pictures.efficiency import tables as costs
from positions.book.pictures.efficiency.charts import longest_both_ways
from positions.book.pictures.labels import label
from positions.claims import Evidence, Verdict
from positions.claims.table_readings import BERT, COPIES, GPT2
from positions.experiments.classification.readings import FROZEN, PAPER
from positions.experiments.classification.start import ZEROS
from positions.tasks.sentences import SETS

Judged = Mapping[str, Verdict]
Answer = Callable[[Evidence, Judged], str]

WALK = "random-walk"
CHANCE = 50.0
"""Wrong answers in percent of a guess which of two positions comes first."""
APART = 1.1
"""Times that differ by less are told as one."""
DECIDED = ("reproduced", "same direction", "not reproduced")


def furthest(evidence: Evidence, _: Judged) -> str:
    """Say which encoding ranks first beyond the training lengths."""
    study = _lengths(evidence)
    if study is None or length.ranks.rank(study.of(*study.paper()), study.paper()) is None:
        return ""
    return length.ranks.leader(study)


def reach(evidence: Evidence, _: Judged) -> str:
    """Say on how many tasks anyone gets half right at the longest inputs."""
    study = _lengths(evidence)
    if study is None or not study.runs["learned"].any():
        return ""
    return length.conclusion.reach(study)


def untrained(evidence: Evidence, _: Judged) -> str:
    """Say that a table nobody trained beats BERT's in the probe of Table 1, where it does."""
    errors = _probed(evidence, "index", "mae")
    copies = [errors[copy] for copy in COPIES if copy in errors]
    own = BERT in errors
    if WALK not in errors or not (own or copies):
        return ""
    bert = errors[BERT] if own else fmean(copies)
    noun = "copy" if len(copies) == 1 else "copies"
    whose = "BERT's table" if own else f"BERT's table ({len(copies)} fine-tuned {noun})"
    if errors[WALK] >= bert:
        return ""
    also = f"those of GPT-2's table to {errors[GPT2]:.1f} and " if GPT2 in errors else ""
    return (
        "No. The rows of a random walk, which nobody trained, are read to within "
        f"{errors[WALK]:.1f} positions, {also}those of {whose} to {bert:.1f}."
    )


def neighbours(evidence: Evidence, _: Judged) -> str:
    """Say that the probe of Table 2 fails on blocks it has not seen, where it does."""
    shared, blocks = (_probed(evidence, "order-splits", name) for name in ("shared", "blocks"))
    if GPT2 not in blocks or GPT2 not in shared or blocks[GPT2] <= (shared[GPT2] + CHANCE) / 2:
        return ""
    return (
        f"Hardly beyond the rows it has seen. From {label(GPT2)}'s table it gets "
        f"{shared[GPT2]:.1f} % wrong as published, and {blocks[GPT2]:.0f} % where whole blocks of "
        f"positions are held out; a coin gets {CHANCE:.0f} %."
    )


def bias(evidence: Evidence, _: Judged) -> str:
    """Say how the price of T5's bias depends on the way to attend, where it does."""
    records = evidence.records("efficiency")
    table = longest_both_ways(costs.ours(records, ["nope", "t5"])) if records else None
    if table is None:
        return ""
    t5 = table[(table["phase"] == "forward") & (table["variant"] == "t5")]
    part = t5[t5["machine"] == t5["machine"].iloc[0]] if len(t5) else t5
    times = part.set_index("attention")["times_nope"]
    if not len(part) or times.max() < APART * times.min():
        return ""
    return (
        f"It depends on how attention is computed. A forward pass of {part['length'].iloc[0]:,} "
        f"tokens takes {times['written']:.2f} times NoPE's time with attention written out, and "
        f"{times['fastest']:.2f} times with the fastest kernel."
    )


def positions(evidence: Evidence, _: Judged) -> str:
    """Say what the best table gains in text classification over zeros that stay zero."""
    records = evidence.records("classification")
    if not records:
        return ""
    tables = {str(record.config["table"]) for record in records}
    study = classification.study.choose(records, evidence.preset, tables, SETS)
    gains = _gains(study)
    if not gains:
        return ""
    best = max(gains, key=lambda name: gains[name].mean)
    gap = gains[best]
    return (
        f"Of {len(gains)} tables {classification.study.title(best)} gains most over a table that "
        f"is zero and stays zero: {gap.mean:+.1f} percentage points ({gap.low:+.1f} to "
        f"{gap.high:+.1f}, paired by set and seed)."
    )


def attention_of_nope(evidence: Evidence, judged: Judged) -> str:
    """Say whether T5's bias is farther from NoPE than NoPE is from itself."""
    if not _decided(judged, "C12"):
        return ""
    records = evidence.records("attention")
    study = attention.study.choose(records, evidence.preset, encodings.names())
    return attention.apart.t5_beside_nope(study)


def past_context(evidence: Evidence, judged: Judged) -> str:
    """Say where the perplexity of each encoding has doubled."""
    if not _decided(judged, "C19"):
        return ""
    records = evidence.records("context")
    study = context.study.choose(records, evidence.preset, encodings.names())
    return context.breaks.said(study)


def steps_written_down(evidence: Evidence, judged: Judged) -> str:
    """Say on which tasks a scratchpad helps all encodings."""
    if not _decided(judged, "C14"):
        return ""
    records = evidence.records("scratchpad")
    study = scratchpad.study.choose(records, evidence.preset, encodings.names())
    return scratchpad.gains.helped(study)


def counting(_: Evidence, judged: Judged) -> str:
    """Say how exactly a decoder without encoding was made to count, where it was."""
    verdict = judged.get("length-generalization/C10")
    held = verdict is not None and verdict.status == "reproduced"
    return f"Yes. {_first_sentence(verdict)}" if verdict is not None and held else ""


def published_steps(_: Evidence, judged: Judged) -> str:
    """Say for how many steps the published models were trained, where it was not alike."""
    verdict = judged.get("length-generalization/C22")
    failed = verdict is not None and verdict.status == "not reproduced"
    return _first_sentence(verdict) if verdict is not None and failed else ""


def _lengths(evidence: Evidence) -> length.study.Study | None:
    records = evidence.records("length_generalization")
    if not records:
        return None
    return length.study.choose(records, evidence.preset, encodings.names())


def _probed(evidence: Evidence, measure: str, metric: str) -> dict[str, float]:
    """Return a metric of the probing records by table, where it is defined."""
    values = {
        str(record.config["table"]): record.metrics.get(metric)
        for record in measures.of(evidence.records("probing"), measure)
        if not record.config["unused_rows"]
    }
    return {table: value for table, value in values.items() if value is not None}


def _gains(study: classification.study.Study) -> dict[str, Difference]:
    """Return by table what it gains over zeros that stay zero, in percentage points."""
    runs = study.of(PAPER, FROZEN)
    scores = runs.pivot_table(index=["task", "seed"], columns=["table", "arm"], values="accuracy")
    if (ZEROS, FROZEN) not in scores:
        return {}
    gains = {}
    for name in study.tables:
        if name != ZEROS and (name, PAPER) in scores:
            both = 100 * scores[[(name, PAPER), (ZEROS, FROZEN)]].dropna()
            if len(both) > 1:
                gains[name] = paired_difference(both[name, PAPER], both[ZEROS, FROZEN])
    return gains


def _decided(judged: Judged, number: str) -> bool:
    verdict = judged.get(f"length-generalization/{number}")
    return verdict is not None and verdict.status in DECIDED


def _first_sentence(verdict: Verdict) -> str:
    return verdict.reason.partition(". ")[0].rstrip(".") + "."
