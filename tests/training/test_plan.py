"""A plan is strict, survives JSON, and says in one message what is wrong with it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from positions.errors import InvalidValueError
from positions.training.plan import TrainingPlan


def plan(**fields):
    return TrainingPlan(**{"steps": 100, "batch_size": 8, "learning_rate": 1e-3} | fields)


def test_json_gives_the_same_plan_back():
    first = plan(warmup=0.06, betas=[0.9, 0.98], decay_exempt=["bias"], clip=None)
    assert TrainingPlan.model_validate_json(first.model_dump_json()) == first
    assert TrainingPlan(**first.model_dump(mode="json")) == first


def test_it_is_frozen():
    with pytest.raises(ValidationError):
        plan().steps = 3


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"steps": 0}, ["steps = 0"]),
        ({"steps": "100"}, ["steps = '100'", "integer"]),
        ({"batch_size": 2.5}, ["batch_size = 2.5"]),
        ({"batch_size": True}, ["batch_size = True"]),
        ({"learning_rate": 0.0}, ["learning_rate = 0.0"]),
        ({"learning_rate": float("nan")}, ["learning_rate = nan"]),
        ({"schedule": "sqrt"}, ["schedule = 'sqrt'", "inverse-square-root"]),
        ({"schedul": "linear"}, ["'schedul'", "Did you mean 'schedule'"]),
        ({"warmup": 1.0}, ["warmup = 1.0", "fraction"]),
        ({"warmup": -1}, ["warmup = -1"]),
        ({"warmup": 101}, ["warmup = 101", "100"]),
        ({"schedule": "inverse-square-root"}, ["warmup of at least 1"]),
        ({"schedule": "constant", "final_learning_rate": 1e-5}, ["final_learning_rate", "cosine"]),
        ({"final_learning_rate": 1.0}, ["peak"]),
        ({"betas": (0.9, 1.0)}, ["betas", "below 1"]),
        ({"betas": (0.9,)}, ["betas"]),
        ({"clip": 0.0}, ["clip = 0.0"]),
        ({"label_smoothing": 1.0}, ["label_smoothing = 1.0"]),
        ({"gradient_accumulation": 9}, ["gradient_accumulation = 9", "batch_size = 8"]),
        ({"precision": "float16"}, ["precision = 'float16'", "bfloat16"]),
        ({"evaluate_every": 0}, ["evaluate_every = 0"]),
        ({"seed": -1}, ["seed = -1"]),
        ({"device": "gpu"}, ["device = 'gpu'", "cuda"]),
    ],
)
def test_a_bad_field_is_named_with_what_is_valid(fields, words):
    with pytest.raises(InvalidValueError) as error:
        plan(**fields)
    for word in words:
        assert word in str(error.value)
    assert "\n" not in str(error.value)


def test_all_bad_fields_come_in_one_message():
    with pytest.raises(InvalidValueError, match=r"steps = -1.*'learning_rate' is missing.*colour"):
        TrainingPlan(steps=-1, batch_size=1, colour="red")


def test_warmup_is_steps_or_a_fraction_rounded_up():
    assert plan(steps=40_000, warmup=0.06).warmup_steps == 2_400
    assert plan(steps=10, warmup=0.05).warmup_steps == 1
    assert plan(warmup=7).warmup_steps == 7
