import pytest

from positions import tables
from positions.errors import UnknownNameError
from positions.experiments import get
from positions.experiments.probing import MEASURES
from positions.experiments.probing.presets import CONTROLS, REAL, SEEDS

EXPERIMENT = get("probing")


@pytest.mark.parametrize("preset", ["smoke", "laptop", "gpu", "paper"])
def test_no_config_comes_twice(preset: str) -> None:
    configs = EXPERIMENT.configs(preset)
    assert len({EXPERIMENT.key(config) for config in configs}) == len(configs) > 0


def test_the_laptop_grid_holds_every_measure_of_every_real_table() -> None:
    have = {(config.table, config.measure) for config in EXPERIMENT.configs("laptop")}
    assert {(table, measure) for table in REAL for measure in MEASURES} <= have
    assert {(table, "index") for table in CONTROLS} <= have


def test_smoke_is_small() -> None:
    configs = EXPERIMENT.configs("smoke")
    assert max(config.seeds for config in configs) == 2
    assert {config.measure for config in configs} == set(MEASURES)


def test_paper_is_one_run_a_cell_with_roberta_as_published() -> None:
    configs = EXPERIMENT.configs("paper")
    assert {config.seeds for config in configs} == {1}
    roberta = {c.measure: (c.positions, c.unused_rows) for c in configs if "roberta" in c.table}
    assert roberta == {"index": (514, True), "order": (512, True)}
    assert all(config.positions == 512 for config in configs if "roberta" not in config.table)


def test_deterministic_measures_run_once_on_fixed_tables() -> None:
    for config in EXPERIMENT.configs("laptop"):
        if not MEASURES[config.measure].seeded:
            assert (config.seeds > 1) == config.is_random
        else:
            assert config.seeds == SEEDS[config.measure]


def test_tables_have_names_that_can_be_loaded() -> None:
    for config in EXPERIMENT.configs("laptop"):
        kind, colon, base = config.table.partition(":")
        assert (base if colon else kind) in tables.names()


def test_an_unknown_preset_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownNameError, match="laptop"):
        EXPERIMENT.configs("huge")
