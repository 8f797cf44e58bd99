"""Presets: the paper's runs as published, the laptop's in an order that makes sense to stop in."""

import pytest

from positions.experiments import get
from positions.experiments.classification.presets import PUBLISHED, SEEDS, TABLES
from positions.experiments.classification.readings import PAPER, arm
from positions.tasks.sentences import GENERATED, SETS

EXPERIMENT = get("classification")


@pytest.mark.parametrize("preset", ["smoke", "laptop", "gpu", "paper"])
def test_no_run_comes_twice_and_none_shares_its_place_with_another(preset) -> None:
    configs = EXPERIMENT.configs(preset)
    places = {(each.task, each.table, arm(each.canonical()), each.seed) for each in configs}
    assert len(places) == len(configs)


def test_the_paper_preset_is_the_papers_procedure() -> None:
    configs = EXPERIMENT.configs("paper")
    assert configs[0].seed == 7122
    assert len(configs) == len(SETS) * len(PUBLISHED) * SEEDS
    for each in configs:
        assert (each.preparation, each.frozen, each.readout) == ("paper", False, "last_padded")
        assert (each.width, each.heads, each.hidden, each.layers) == (256, 8, 512, 1)
        assert (each.epochs, each.batch_size, each.learning_rate) == (30, 32, 1e-4)
        assert (each.evaluate_every, each.rows, each.dropout) == (40, 128, 0.1)


def test_the_laptop_begins_with_the_papers_arm_seed_by_seed() -> None:
    configs = EXPERIMENT.configs("laptop")
    arms = [arm(each.canonical()) for each in configs]
    first = arms.index(next(name for name in arms if name != PAPER))
    assert set(arms[first:]).isdisjoint({PAPER})
    assert first == len(TABLES) * (len(SETS) + 1) * SEEDS
    for part in (configs[:first], configs[first:]):
        assert [each.seed for each in part] == sorted(each.seed for each in part)
    assert {each.task for each in configs} == {*SETS, GENERATED}


def test_every_arm_changes_one_thing() -> None:
    for each in EXPERIMENT.configs("laptop"):
        changed = (each.preparation != "paper", each.frozen, each.readout != "last_padded")
        assert sum(changed) <= 1


def test_zeros_are_frozen_too_and_every_seed_has_every_arm() -> None:
    configs = EXPERIMENT.configs("laptop")
    by_seed: dict[int, set] = {seed: set() for seed in range(SEEDS)}
    for each in configs:
        by_seed[each.seed].add((each.task, each.table, arm(each.canonical())))
    assert len(set(map(frozenset, by_seed.values()))) == 1
    assert ("mr", "zeros", "frozen") in by_seed[0]


def test_smoke_needs_no_more_than_a_few_texts() -> None:
    configs = EXPERIMENT.configs("smoke")
    assert len(configs) < 100
    assert all(each.limit <= 64 and each.epochs == 1 for each in configs)
    assert GENERATED in {each.task for each in configs}
