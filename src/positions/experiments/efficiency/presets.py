"""Which lengths, phases and models belong to a scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from positions import encodings
from positions.experiments.efficiency.config import Attention, EfficiencyConfig, Phase, machine
from positions.experiments.length_generalization.presets import ENCODINGS, PAPER_ENCODINGS

PUBLISHED_LENGTHS = (1, *range(101, 2002, 100))
FEW_LENGTHS = (1, 101, 201, 501, 1001, 2001)
"""Some of those published, on a CPU or to save time."""
WAYS: tuple[Attention, ...] = ("written", "fastest")

SIZES: dict[str, Mapping[str, int]] = {
    "tiny": {"vocabulary": 16, "width": 16, "heads": 2, "layers": 1, "hidden": 32},
    "small": {"vocabulary": 64, "width": 256, "heads": 8, "layers": 4, "hidden": 1_024},
    "base": {"vocabulary": 32_100, "width": 768, "heads": 12, "layers": 12, "hidden": 3_072},
}
"""Models; "base" is the paper's, T5-base's decoder."""


def measured(specs: Sequence[tuple[str, str]] = ENCODINGS) -> tuple[str, ...]:
    """Return encodings as a config names them, and behind them those that others registered."""
    known = {name for name, _ in ENCODINGS}
    own = [f"{name} {options}".strip() for name, options in specs]
    return (*own, *(name for name in encodings.names() if name not in known))


def grid(
    phase: Phase,
    lengths: Iterable[int],
    ways: Iterable[Attention],
    turns: Callable[[int], tuple[int, int]],
    **settings: Any,
) -> list[EfficiencyConfig]:
    """Return the configs of one phase; `turns` gives warm-ups and rounds by length."""
    found = []
    for length in lengths:
        warmups, rounds = turns(length)
        for attention in ways:
            found.append(
                EfficiencyConfig(
                    phase=phase,
                    length=length,
                    attention=attention,
                    warmups=warmups,
                    rounds=rounds,
                    **settings,
                )
            )
    return found


def smoke() -> list[EfficiencyConfig]:
    """Return measurements that show that the machinery works; their numbers mean nothing."""
    settings = {**SIZES["tiny"], "encodings": measured(), "machine": machine("cpu")}
    phases: tuple[Phase, ...] = ("forward", "training", "generation")
    return [
        config
        for phase in phases
        for config in grid(phase, (1, 11), WAYS, lambda length: (1, 3), **settings)
    ]


def laptop() -> list[EfficiencyConfig]:
    """Return a model of 3.2 million weights on one core: about seven minutes in all."""
    settings = {**SIZES["small"], "encodings": measured(), "machine": machine("cpu")}
    return [
        *grid("forward", FEW_LENGTHS, WAYS, _fewer_of_long, **settings),
        *grid("training", FEW_LENGTHS[:-1], WAYS, _fewer_of_long, **settings),
        *grid("generation", FEW_LENGTHS[:4], ("written",), _fewer_of_long, **settings),
    ]


def _fewer_of_long(length: int) -> tuple[int, int]:
    return (2, 25) if length < 200 else (1, 15) if length < 500 else (1, 9)


def gpu() -> list[EfficiencyConfig]:
    """Return the paper's model on one card, at some of its lengths, with both ways to attend."""
    settings = {**SIZES["base"], "encodings": measured(), **_on_card()}
    return [
        *grid("forward", FEW_LENGTHS, WAYS, _as_published, **settings),
        *grid("training", FEW_LENGTHS, WAYS, _as_published, **settings, dropout=0.1),
        *grid("generation", FEW_LENGTHS[:4], WAYS, _fewer_of_long, **settings),
    ]


def paper() -> list[EfficiencyConfig]:
    """Return what the authors' repository measures: 20 warm-ups and 50 timings at 21 lengths.

    Attention is written out, as in their code.
    """
    settings = {**SIZES["base"], "encodings": measured(PAPER_ENCODINGS), **_on_card()}
    return [
        *grid("forward", PUBLISHED_LENGTHS, ("written",), _as_published, **settings),
        *grid("training", PUBLISHED_LENGTHS, ("written",), _as_published, **settings, dropout=0.1),
        *grid("generation", PUBLISHED_LENGTHS, ("written",), _as_published, **settings),
    ]


def _as_published(length: int) -> tuple[int, int]:
    return 20, 50


def _on_card() -> dict[str, str]:
    return {"device": "cuda", "machine": machine("cuda")}


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
