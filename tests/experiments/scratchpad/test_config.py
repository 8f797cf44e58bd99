"""Configs and presets of the scratchpad experiment."""

from __future__ import annotations

import json
from functools import cache

import pytest

from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import get
from positions.experiments.length_generalization import LengthConfig
from positions.experiments.scratchpad import ScratchpadConfig
from positions.experiments.scratchpad.presets import formats_of

EXPERIMENT = get("scratchpad")
TINY = {
    "task": "parity",
    "encoding": "nope",
    "seed": 1,
    "longest": 6,
    "test_longest": 9,
    "train": 200,
    "test": 90,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "dropout": 0.1,
    "steps": 40,
    "batch_size": 16,
    "learning_rate": 0.01,
    "evaluate_every": 5,
}


@cache
def configs(preset: str) -> list[ScratchpadConfig]:
    return EXPERIMENT.configs(preset)


def config(**changes) -> ScratchpadConfig:
    return ScratchpadConfig(**{**TINY, **changes})


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"scratchpad": "ful"}, UnknownNameError, ["scratchpad of parity: 'ful'", "'full'"]),
        ({"scratchpad": 1}, UnknownNameError, ["scratchpad of parity: 1"]),
        (
            {"task": "lego", "scratchpad": "full-V"},
            InvalidValueError,
            ["'full-V'", "lego has no variable", "minimal"],
        ),
        (
            {"task": "copy_v3_multi"},
            InvalidValueError,
            ["copy_v3_multi has no steps", "addition", "lego"],
        ),
        ({"task": "copy", "scratchpad": "full"}, UnknownNameError, ["task 'copy'"]),
        ({"scratchpads": "full"}, InvalidValueError, ["Did you mean 'scratchpad'?"]),
        ({"longest": 3}, InvalidValueError, ["parity", "shortest=4", "longest=3"]),
        ({"encoding": "rotarry"}, UnknownNameError, ["Did you mean 'rotary'?"]),
    ],
)
def test_bad_config_is_one_clear_message(changes, error, words):
    with pytest.raises(error) as caught:
        config(**changes)
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


def test_a_format_has_one_spelling_and_so_one_key():
    one, other = config(scratchpad="minimal"), config(scratchpad="i0_c1_o1_v0_r0")
    assert one == other
    assert EXPERIMENT.key(one) == EXPERIMENT.key(other)
    assert EXPERIMENT.key(one) != EXPERIMENT.key(config(scratchpad="full"))
    assert one.build_task().scratchpad == "minimal"


def test_a_config_survives_json():
    one = config(scratchpad="full-R")
    assert ScratchpadConfig(**json.loads(json.dumps(one.canonical()))) == one


def test_configs_without_scratchpad_are_left_as_they_were():
    plain = LengthConfig(**TINY).canonical()
    assert "scratchpad" not in plain
    assert config(token_limit=256).canonical() == {**plain, "scratchpad": "none"}


def test_a_model_can_write_up_to_the_limit():
    assert config(token_limit=700).model(30, 40).max_length == 700
    assert config(token_limit=30).model(30, 40).max_length == 40


@pytest.mark.parametrize("preset", sorted(EXPERIMENT.presets.keys() - {"smoke"}))
def test_all_formats_and_encodings_of_a_task_get_the_same_model_and_training(preset):
    own = {"encoding", "encoding_options", "seed", "scratchpad", "paper_lengths"}
    settings: dict[str, set[str]] = {}
    runs: dict[str, set] = {}
    for each in configs(preset):
        shared = {name: value for name, value in each.canonical().items() if name not in own}
        settings.setdefault(each.task, set()).add(json.dumps(shared, sort_keys=True))
        run = (each.encoding, each.scratchpad, each.seed)
        assert run not in runs.setdefault(each.task, set())
        runs[each.task].add(run)
    assert {task: len(found) for task, found in settings.items()} == dict.fromkeys(settings, 1)
    for task, found in runs.items():
        names, forms, seeds = (set(part) for part in zip(*found, strict=True))
        assert names == {"nope", "sinusoidal", "t5", "alibi", "rotary"}
        assert forms == set(formats_of(task))
        assert len(seeds) == 3
        assert len(found) == len(names) * len(forms) * len(seeds)


def test_the_papers_formats():
    assert formats_of("parity") == (
        "none",
        "minimal",
        "full",
        "full-I",
        "full-C",
        "full-O",
        "full-V",
        "full-R",
    )
    assert set(formats_of("parity")) - set(formats_of("lego")) == {"full-V"}


def test_paper_preset_is_length_generalizations_with_steps():
    usual = {
        (each.task, each.encoding, each.encoding_options, each.seed): each.canonical()
        for each in get("length_generalization").configs("paper")
    }
    assert len({each.task for each in configs("paper")}) == 7
    for each in configs("paper"):
        other = usual[each.task, each.encoding, each.encoding_options, each.seed]
        found = each.canonical()
        differ = {name for name in other if found[name] != other[name]}
        assert differ - {"paper_lengths"} == {"token_limit"}
        assert found["token_limit"] == 1500
        if "paper_lengths" in differ:
            assert (each.task, each.scratchpad) != ("addition", "full")
            assert each.scratchpad != "none"
    counted = {(each.task, each.scratchpad) for each in configs("paper") if each.paper_lengths}
    assert counted == {("addition", "none"), ("addition", "full"), ("summation", "none")}


@pytest.mark.parametrize("preset", sorted(EXPERIMENT.presets))
def test_right_texts_fit_the_limit(preset):
    """No preset cuts off a text that is right: the longest of a sample, with much to spare."""
    seen = set()
    for each in configs(preset):
        if each.scratchpad != "full" or each.task in seen:
            continue
        seen.add(each.task)
        task = each.build_task()
        tokenizer = task.tokenizer(each.paper_lengths)
        longest = max(
            len(tokenizer.encode(example.source + example.target)) + 1
            for example in task.examples("test", 1, 60)
        )
        assert longest <= each.token_limit
    assert len(seen) >= 2


def test_a_laptops_sweep_begins_with_the_formats_that_say_most():
    first = ["none", "minimal", "full"]
    runs = configs("laptop")
    seed = [each for each in runs if each.seed == 0 and each.scratchpad in first]
    assert runs[: len(seed)] == seed
    assert [each for each in runs if each.scratchpad in first] == runs[: 3 * len(seed)]
    assert {each.scratchpad for each in runs[3 * len(seed) :]}.isdisjoint(first)
