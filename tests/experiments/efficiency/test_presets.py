import pytest

from positions.experiments.efficiency import EXPERIMENT
from positions.experiments.efficiency.presets import FEW_LENGTHS, PUBLISHED_LENGTHS, measured
from positions.published import load

PRESETS = ("smoke", "laptop", "gpu", "paper")


@pytest.mark.parametrize("preset", PRESETS)
def test_no_config_comes_twice(preset: str) -> None:
    configs = EXPERIMENT.configs(preset)
    assert len({EXPERIMENT.key(config) for config in configs}) == len(configs) > 0
    assert {config.phase for config in configs} == {"forward", "training", "generation"}


def test_paper_is_what_is_published() -> None:
    known = load("length-generalization/runtime_efficiency")
    configs = EXPERIMENT.configs("paper")
    assert {config.length for config in configs} == set(known["length"])
    assert len(configs) == known.groupby(["phase", "length"]).ngroups
    assert {(c.warmups, c.rounds, c.batch, c.device) for c in configs} == {(20, 50, 1, "cuda")}
    assert {config.attention for config in configs} == {"written"}
    assert {text.split()[0] for text in configs[0].encodings} == {
        {"ape": "sinusoidal"}.get(name, name) for name in known["pe"]
    }


def test_shorter_lists_of_lengths_stand_beside_published_ones() -> None:
    assert set(FEW_LENGTHS) <= set(PUBLISHED_LENGTHS)


def test_laptop_and_gpu_time_a_forward_pass_at_the_length_of_the_claim_both_ways() -> None:
    for preset in ("laptop", "gpu"):
        found = [c for c in EXPERIMENT.configs(preset) if (c.phase, c.length) == ("forward", 2001)]
        assert {config.attention for config in found} == {"written", "fastest"}


def test_smoke_is_small() -> None:
    for config in EXPERIMENT.configs("smoke"):
        assert (config.length, config.width, config.layers, config.rounds) <= (11, 16, 1, 3)


def test_nope_is_measured_first() -> None:
    assert measured()[0] == "nope"
