"""Presets: models of two other experiments, each seed with another to compare with."""

from itertools import groupby

import pytest

from positions.experiments import attention, get
from positions.experiments.attention.presets import FIVE, SEEDS

PRESETS = ["smoke", "laptop", "gpu", "paper"]


@pytest.mark.parametrize("preset", PRESETS)
def test_models_are_those_whose_accuracy_is_recorded(preset) -> None:
    runs = [
        each
        for name in ("length_generalization", "scratchpad")
        for each in get(name).configs(preset)
    ]
    known = {each.model_dump_json() for each in runs}
    seeds = {(each.task, getattr(each, "scratchpad", "none"), each.seed) for each in runs}
    for each in attention.EXPERIMENT.configs(preset):
        model = each.model_of().model_dump_json()
        assert model in known or (each.task, each.scratchpad, each.seed) not in seeds


@pytest.mark.parametrize("preset", PRESETS)
def test_two_tasks_as_in_the_paper(preset) -> None:
    found = {(each.task, each.scratchpad) for each in attention.EXPERIMENT.configs(preset)}
    assert found == {("scan", "none"), ("addition", "full")}


def test_the_laptop_has_enough_seeds_of_the_papers_five_to_judge_by() -> None:
    order = lambda each: (each.task, each.encoding, each.encoding_options)  # noqa: E731
    configs = sorted(attention.EXPERIMENT.configs("laptop"), key=order)
    for (_, *encoding), runs in groupby(configs, order):
        seeds = [each.seed for each in runs]
        assert sorted(seeds) == [*range(SEEDS if tuple(encoding) in FIVE else 3)]
    assert 3 * 2 ** (1 - SEEDS) < 0.05 < 3 * 2 ** (2 - SEEDS)


def test_one_seed_is_done_before_the_next() -> None:
    seeds = [each.seed for each in attention.EXPERIMENT.configs("laptop")]
    assert seeds == sorted(seeds)


def test_the_papers_seeds_are_compared_among_each_other() -> None:
    configs = attention.EXPERIMENT.configs("paper")
    seeds = {each.seed for each in configs}
    pairs = {(each.seed, each.other_seed) for each in configs}
    assert len(pairs) == 3
    assert {other for _, other in pairs} == seeds


def test_smoke_is_small() -> None:
    assert len(attention.EXPERIMENT.configs("smoke")) == 2 * len(FIVE)
