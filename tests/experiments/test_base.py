import json
import pickle
import subprocess
import sys
from typing import Literal

import pytest

from positions import experiments
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.base import Config, Experiment, Outcome, canonical_json, key


class Colours(Config):
    colour: Literal["red", "green"] = "red"
    lengths: tuple[int, ...] = (1, 2)
    rate: float = 0.1
    seed: int = 0


def paint(config: Colours) -> Outcome:
    return Outcome(metrics={"seed": float(config.seed)})


def few() -> list[Colours]:
    return [Colours(seed=seed) for seed in range(3)]


PAINT = Experiment("paint", 1, "Painting", Colours, paint, {"smoke": few})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"colour": "blue"}, ["colour", "'blue'", "'red'", "'green'"]),
        ({"colur": "red"}, ["unknown setting 'colur'", "Did you mean 'colour'?", "lengths"]),
        ({"seed": "1"}, ["seed", "'1'", "integer"]),
        ({"seed": True}, ["seed", "True", "integer"]),
        ({"seed": 1.0}, ["seed", "1.0", "integer"]),
        ({"rate": float("nan")}, ["rate", "nan", "finite"]),
        ({"lengths": [1, "x"]}, ["lengths.1", "'x'"]),
        ({"colour": "blue", "seed": "1"}, ["colour", "seed"]),
    ],
)
def test_bad_setting_is_one_message_that_names_it(settings, words):
    with pytest.raises(InvalidValueError) as caught:
        Colours(**settings)
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in ["Colours", *words] if word not in message] == []


def test_config_survives_json_and_pickle_unchanged():
    config = Colours(colour="green", lengths=(3, 4), rate=1, seed=7)
    assert Colours(**json.loads(canonical_json(config.canonical()))) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_config_is_frozen_and_hashable():
    config = Colours()
    with pytest.raises(Exception, match="frozen"):
        config.seed = 3
    assert len({Colours(), Colours(), Colours(seed=1)}) == 2


def test_key_depends_on_everything_that_defines_a_run_and_not_on_order():
    config = {"a": 1, "b": 0.5}
    keys = {
        key("x", 1, config),
        key("y", 1, config),
        key("x", 2, config),
        key("x", 1, {"a": 2, "b": 0.5}),
        key("x", 1, {"a": 1, "b": 0.25}),
    }
    assert len(keys) == 5
    assert key("x", 1, {"b": 0.5, "a": 1}) == key("x", 1, config)


def test_int_and_float_spelling_of_a_rate_give_one_key():
    assert PAINT.key(Colours(rate=1)) == PAINT.key(Colours(rate=1.0))


def test_defaults_are_part_of_the_key():
    assert PAINT.key(Colours()) == PAINT.key(Colours(colour="red", lengths=[1, 2]))


def test_unknown_preset_lists_the_valid_ones():
    with pytest.raises(UnknownNameError, match=r"'smok'.*Did you mean 'smoke'"):
        PAINT.configs("smok")
    assert PAINT.configs("smoke") == few()


def test_canonical_json_refuses_what_json_cannot_say():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"x": float("nan")})


def test_unknown_experiment_lists_the_valid_ones():
    with pytest.raises(UnknownNameError, match="Unknown experiment 'no such'"):
        experiments.get("no such")


def test_every_experiment_can_travel_to_a_worker_and_lists_its_presets():
    for name in experiments.names():
        experiment = experiments.get(name)
        assert experiment.name == name
        assert pickle.loads(pickle.dumps(experiment.run)) is experiment.run
        for preset in experiment.presets:
            configs = experiment.configs(preset)
            keys = {experiment.key(config) for config in configs}
            assert len(keys) == len(configs) > 0, f"{name} {preset} repeats a config or is empty"


def test_listing_experiments_imports_no_torch():
    code = (
        "import sys; from positions import experiments; "
        "experiments.names(); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
