"""Who is compared with whom, and what cannot be."""

import pytest

from positions.errors import InvalidValueError, UnknownNameError


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"other_seed": 1}, InvalidValueError, "other_seed = 1 is the seed itself"),
        ({"heads": 1}, InvalidValueError, "choose two or more"),
        ({"task": "adition"}, UnknownNameError, "Did you mean 'addition'"),
        ({"encoding": "rotory"}, UnknownNameError, "Did you mean 'rotary'"),
        ({"scratchpad": "ful"}, UnknownNameError, "Did you mean 'full'"),
        ({"task": "scan", "scratchpad": "full"}, InvalidValueError, "scan has no steps"),
        ({"examples": 0}, InvalidValueError, "examples"),
        ({"sample": 3}, InvalidValueError, "unknown setting 'sample'"),
    ],
)
def test_what_cannot_be_run_is_said(config, changes, error, words) -> None:
    with pytest.raises(error, match=words):
        config(**changes)


def test_a_model_is_compared_with_nope_of_both_seeds_and_with_its_twin(config) -> None:
    beside = config(encoding="rotary", encoding_options="fraction=0.5").beside()
    assert {name: (each.encoding, each.seed) for name, each in beside.items()} == {
        "same_seed": ("nope", 1),
        "other_seed": ("nope", 2),
        "itself": ("rotary", 2),
    }
    assert beside["itself"].encoding_options == "fraction=0.5"
    assert beside["same_seed"].encoding_options == ""


def test_nope_has_only_its_twin(config) -> None:
    beside = config(encoding="nope", other_seed=7).beside()
    assert set(beside) == {"other_seed", "itself"}
    assert beside["itself"] == beside["other_seed"]
    assert beside["itself"].seed == 7


def test_a_scratchpad_is_part_of_the_task_and_of_every_model(config) -> None:
    run = config(scratchpad="full")
    assert run.build_task().scratchpad == "full"
    assert {each.scratchpad for each in run.beside().values()} == {"full"}
    assert not hasattr(config().model_of(), "scratchpad")


def test_models_differ_in_nothing_else(config) -> None:
    one = config()
    for each in one.beside().values():
        same = {"encoding", "encoding_options", "seed"}
        assert each.model_dump(exclude=same) == one.model_of().model_dump(exclude=same)
