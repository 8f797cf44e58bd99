"""What the costs say, in sentences computed from them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from positions.book.pictures.efficiency.charts import CALLS, longest_both_ways, only_nope
from positions.book.pictures.efficiency.tables import PUBLISHED, chosen, readable
from positions.book.pictures.length.names import encoding, listed
from positions.experiments.efficiency.config import NONE
from positions.runs import Record
from positions.words import many

QUIET = 1.5
"""A load average above this says that a machine had other work than one thread's."""
SAME = 0.05
"""Ratios nearer to 1 than this are called equal."""


def conditions(records: Sequence[Record]) -> str:
    """Say on which machines, with how many threads and beside what other work was measured."""
    machines = dict.fromkeys(str(record.config["machine"]) for record in records)
    return " ".join(_conditions(name, records) for name in machines) or "Nothing is recorded yet."


def dearest(
    table: pd.DataFrame,
    phase: str,
    attention: str = "written",
    value: str = "times_nope",
    shortest: bool = False,
) -> str:
    """Say for each machine, at its greatest length or its least, what costs most and least.

    Of NoPE alone, what it costs.
    """
    frame = chosen(table, phase, attention)
    alone = only_nope(table)
    frame = (frame if alone else frame[frame["variant"] != NONE]).dropna(subset=value)
    said = []
    for name, part in frame.groupby("machine", sort=False):
        length = part["length"].min() if shortest else part["length"].max()
        at = part[part["length"] == length].set_index("variant")
        where = f"{_on(str(name))}, at {_tokens(length)},"
        if alone:
            said.append(_itself(where, at.loc[NONE], value))
        else:
            said.append(_dearest(where, at[value].sort_values(), value))
    return " ".join(said) or "Nothing is recorded of this."


def biases(table: pd.DataFrame) -> str:
    """Compare T5's bias with ALiBi's, which is as large, in a forward pass at the greatest length.

    Attention is written out.
    """
    frame = chosen(table, "forward", "written")
    said = []
    for machine, part in frame.groupby("machine", sort=False):
        at = part[part["length"] == part["length"].max()].set_index("variant")
        if not {"t5", "alibi"} <= {*at.index}:
            continue
        (t5, alibi), memory = at["times_nope"][["t5", "alibi"]], at["mib_times_nope"]
        said.append(
            f"{_on(str(machine))} T5's bias takes {t5:.2f} times NoPE's time and ALiBi "
            f"{alibi:.2f} times, in {memory['t5']:.2f} and {memory['alibi']:.2f} times its memory."
        )
    return " ".join(said) or "To compare them it takes times of T5's bias and of ALiBi."


def ways(table: pd.DataFrame) -> str:
    """Say how much the fastest way to attend saves, and what it makes of the ratios."""
    frame = longest_both_ways(table)
    parts = []
    for (machine, phase), part in frame.groupby(["machine", "phase"], sort=False):
        wide = part.pivot(index="variant", columns="attention")
        times, over = wide["ms"], wide["times_nope"]
        if NONE not in times.index:
            continue
        faster = times.loc[NONE, "written"] / times.loc[NONE, "fastest"]
        said = (
            f"On {machine}, {CALLS[str(phase)]} with NoPE at {_tokens(part['length'].max())} is "
            f"{faster:.1f} times as fast with the way to attend that this library chooses."
        )
        others = over["fastest"].drop(NONE).dropna()
        if len(others):
            most = str(others.idxmax())
            said += (
                f" There {encoding(most)} costs {over.loc[most, 'fastest']:.2f} times NoPE's time, "
                f"and {over.loc[most, 'written']:.2f} times with attention written out."
            )
        parts.append(said)
    return " ".join(parts) or "It takes records of both ways to say."


def below(table: pd.DataFrame, phase: str, attention: str = "written") -> str:
    """Name what is published or measured as faster than NoPE, which adds nothing."""
    if only_nope(table):
        return dearest(table, phase, attention)
    frame = chosen(table, phase, attention)
    frame = frame[frame["times_nope"] < 1 - SAME]
    parts = []
    for machine, part in frame.groupby("machine", sort=False):
        low = part.groupby("variant")["times_nope"].min().sort_values()
        names = listed(f"{encoding(str(name))} ({value:.2f})" for name, value in low.items())
        parts.append(f"{_on(str(machine))}, below NoPE's time at some length: {names}.")
    return " ".join(parts) or "No time is below NoPE's."


def _conditions(name: str, records: Sequence[Record]) -> str:
    own = [record for record in records if record.config["machine"] == name]
    threads = sorted({record.provenance.threads for record in own})
    loads = [load for record in own if (load := record.metrics["load"]) is not None]
    days = sorted({record.provenance.started[:10] for record in own})
    said = (
        f"Measured on {readable(name)}, {listed(many(each, 'thread') for each in threads)}, "
        f"{' to '.join(dict.fromkeys((days[0], days[-1])))}"
    )
    if not loads:
        return f"{said}."
    said += f"; load average {min(loads):.1f} to {max(loads):.1f}"
    if max(loads) > QUIET:
        return f"{said}: the machine had other work beside, so trust ratios more than milliseconds."
    return f"{said}."


def _dearest(where: str, found: pd.Series, value: str) -> str:
    """Say it of one machine and length; `found` has the encodings in ascending order."""
    what = "time" if value == "times_nope" else "memory"
    names = [encoding(str(name)) for name in found.index]
    if found.iloc[-1] < 1 + SAME and found.iloc[0] > 1 - SAME:
        return (
            f"{where} {'all take' if len(names) > 1 else f'{names[0]} takes'} NoPE's {what} to "
            f"within {SAME:.0%}."
        )
    said = f"{where} {names[-1]} takes {found.iloc[-1]:.2f} times NoPE's {what}"
    if len(names) == 1:
        return f"{said}."
    others = f"{names[0]} {found.iloc[0]:.2f}"
    if len(names) > 2:
        return (
            f"{said}, the others from {found.iloc[0]:.2f} ({names[0]}) to "
            f"{found.iloc[-2]:.2f} ({names[-2]})."
        )
    return f"{said}, {others}."


def _itself(where: str, nope: pd.Series, value: str) -> str:
    """Say what NoPE costs, with which others would be compared."""
    name, unit = ("ms", "ms") if value == "times_nope" else ("mib", "MiB")
    cost = nope[name]
    return f"{where} NoPE takes {f'{cost:,.0f}' if cost >= 100 else f'{cost:.3g}'} {unit}."


def _on(machine: str) -> str:
    return f"On {'a ' if machine == PUBLISHED else ''}{machine}"


def _tokens(length: int) -> str:
    return many(length, "token")
