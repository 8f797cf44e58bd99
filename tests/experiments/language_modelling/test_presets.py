"""What each scale runs."""

from collections import Counter

import pytest

from positions.experiments import get
from positions.experiments.language_modelling.presets import PUBLISHED
from positions.tasks.corpora import generated

EXPERIMENT = get("language_modelling")


@pytest.mark.parametrize("preset", ["smoke", "laptop", "gpu", "paper"])
def test_no_run_is_listed_twice(preset) -> None:
    configs = EXPERIMENT.configs(preset)
    assert len({EXPERIMENT.key(config) for config in configs}) == len(configs) > 0


@pytest.mark.parametrize("preset", ["laptop", "gpu"])
def test_every_table_is_given_to_both_objectives_with_each_seed(preset) -> None:
    configs = EXPERIMENT.configs(preset)
    kinds = Counter(
        (config.corpus, config.table, config.frozen, config.first, config.stride, config.seed)
        for config in configs
    )
    assert set(kinds.values()) == {2}
    assert {config.seed for config in configs} == {0, 1, 2}
    assert {
        (each.objective, each.table, each.stride) for each in configs if each.corpus == "wikitext-2"
    } >= {(*pair, stride) for pair in PUBLISHED for stride in (1, 4)}


def test_the_laptop_finishes_a_seed_before_the_next() -> None:
    seeds = [
        config.seed
        for config in EXPERIMENT.configs("laptop")
        if config.corpus != generated.NAME and (config.first, config.stride) in ((0, 1), (0, 4))
    ]
    assert seeds == sorted(seeds)


def test_the_paper_runs_its_own_confounded_grid() -> None:
    """Six runs a seed, base-size, on 32 blocks of 128 in two halves (Wang & Chen 2020, code)."""
    configs = EXPERIMENT.configs("paper")
    assert len(configs) == 18
    assert {(each.objective, each.table) for each in configs} == set(PUBLISHED)
    assert {(each.objective, each.tokenizer) for each in configs} == {
        ("masked", "bert-base-uncased"),
        ("causal", "gpt2"),
    }
    (plan,) = {each.changed(seed=42).plan(10) for each in configs}
    assert (plan.steps, plan.batch_size, plan.gradient_accumulation) == (200, 32, 2)
    assert (plan.learning_rate, plan.schedule, plan.weight_decay) == (5e-5, "linear", 0.0)
    assert all(each.frozen for each in configs)
