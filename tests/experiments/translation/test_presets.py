"""What the presets hold: the whole grid with one loss, and the paper's own pairs."""

import pytest

from positions.experiments import get
from positions.experiments.translation.presets import COPY, GRID, PUBLISHED, SEEDS

EXPERIMENT = get("translation")


@pytest.mark.parametrize("preset", ["smoke", "laptop", "gpu", "paper"])
def test_no_run_is_listed_twice(preset) -> None:
    keys = [EXPERIMENT.key(config) for config in EXPERIMENT.configs(preset)]
    assert len(set(keys)) == len(keys) > 0


def test_the_grid_has_one_loss_one_scale_and_every_pair() -> None:
    configs = [c for c in EXPERIMENT.configs("laptop") if c.preparation == "matched"]
    assert len({(c.smoothing, c.preparation, c.learning_rate, c.steps) for c in configs}) == 1
    for seed in range(SEEDS):
        pairs = {(c.encoder, c.decoder) for c in configs if c.seed == seed and not c.frozen}
        assert pairs == {(one, other) for one in GRID for other in GRID}
    frozen = [c for c in configs if c.frozen]
    assert {(c.encoder, c.decoder) for c in frozen} == {("zeros", "zeros")}


def test_a_seed_is_whole_before_the_next_begins() -> None:
    seeds = [config.seed for config in EXPERIMENT.configs("laptop")]
    assert seeds == sorted(seeds) and set(seeds) == set(range(SEEDS))


def test_three_of_the_papers_ten_runs_have_another_loss() -> None:
    configs = EXPERIMENT.configs("paper")
    assert {c.preparation for c in configs} == {"paper"}
    first = configs[: len(PUBLISHED)]
    assert len(first) == 10 and first[0].seed == 7122
    plain = {(c.encoder, c.decoder) for c in first if c.smoothing == 0}
    assert plain == {
        ("bert-base-uncased", "gpt2"),
        ("gpt2", "bert-base-uncased"),
        ("sinusoidal", "sinusoidal"),
    }


def test_smoke_numbers_come_from_both_corpora_and_are_few() -> None:
    configs = EXPERIMENT.configs("smoke")
    assert {c.corpus for c in configs} == {"generated-pairs", "multi30k"}
    assert all(c.steps <= 10 for c in configs)


def test_copies_stand_for_bert_on_a_laptop() -> None:
    names = {name for c in EXPERIMENT.configs("laptop") for name in (c.encoder, c.decoder)}
    assert COPY in names and "bert-base-uncased" not in names
