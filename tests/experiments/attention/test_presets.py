"""Presets: the models of `length_generalization`, each seed with another to compare with."""

from itertools import groupby

import pytest

from positions.experiments import attention, length_generalization
from positions.experiments.attention.presets import FIVE, MORE_SEEDS, TASKS


@pytest.mark.parametrize("preset", ["smoke", "laptop", "gpu", "paper"])
def test_models_are_those_whose_accuracy_is_recorded(preset) -> None:
    known = {each.model_dump_json() for each in length_generalization.EXPERIMENT.configs(preset)}
    seeds = {each.seed for each in length_generalization.EXPERIMENT.configs(preset)}
    for each in attention.EXPERIMENT.configs(preset):
        assert each.task in TASKS
        assert each.model_of().model_dump_json() in known or each.seed not in seeds


def test_the_laptop_has_enough_seeds_of_the_papers_five_to_judge_by() -> None:
    order = lambda each: (each.task, each.encoding, each.encoding_options)  # noqa: E731
    configs = sorted(attention.EXPERIMENT.configs("laptop"), key=order)
    for (_, *encoding), runs in groupby(configs, order):
        seeds = [each.seed for each in runs]
        assert sorted(seeds) == [*range(MORE_SEEDS if tuple(encoding) in FIVE else 3)]
    assert 3 * 2 ** (1 - MORE_SEEDS) < 0.05 < 3 * 2 ** (2 - MORE_SEEDS)


def test_the_papers_seeds_are_compared_among_each_other() -> None:
    configs = attention.EXPERIMENT.configs("paper")
    seeds = {each.seed for each in configs}
    pairs = {(each.seed, each.other_seed) for each in configs}
    assert len(pairs) == 3
    assert {other for _, other in pairs} == seeds


def test_smoke_is_small() -> None:
    configs = attention.EXPERIMENT.configs("smoke")
    assert {each.task for each in configs} == set(TASKS)
    assert len(configs) == len(FIVE) * len(TASKS)
