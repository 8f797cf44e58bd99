"""The schedules are those that the papers' libraries ran."""

from __future__ import annotations

import pytest
import torch
import transformers

from positions.training.plan import TrainingPlan
from positions.training.schedules import learning_rate

PEAK, FINAL, STEPS = 3e-5, 1e-7, 120


def theirs(make, **options):
    """The rates that a transformers schedule sets, step by step."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=PEAK)
    scheduler = make(optimizer, **options)
    rates = []
    for _ in range(STEPS):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return rates


@pytest.mark.parametrize("warmup", [0, 1, 17])
@pytest.mark.parametrize(
    ("schedule", "final", "make", "options"),
    [
        (
            "linear",
            FINAL,
            transformers.get_polynomial_decay_schedule_with_warmup,
            {"num_training_steps": STEPS, "lr_end": FINAL, "power": 1.0},
        ),
        (
            "linear",
            0.0,
            transformers.get_linear_schedule_with_warmup,
            {"num_training_steps": STEPS},
        ),
        (
            "cosine",
            0.0,
            transformers.get_cosine_schedule_with_warmup,
            {"num_training_steps": STEPS},
        ),
        (
            "cosine",
            FINAL,
            transformers.get_cosine_with_min_lr_schedule_with_warmup,
            {"num_training_steps": STEPS, "min_lr": FINAL},
        ),
        ("constant", 0.0, transformers.get_constant_schedule_with_warmup, {}),
        ("inverse-square-root", 0.0, transformers.get_inverse_sqrt_schedule, {}),
    ],
)
def test_rates_are_those_of_transformers(schedule, final, make, options, warmup):
    if schedule == "inverse-square-root":
        warmup += 1  # a plan refuses it without warm-up
    plan = TrainingPlan(
        steps=STEPS,
        batch_size=1,
        learning_rate=PEAK,
        schedule=schedule,
        warmup=warmup,
        final_learning_rate=final,
    )
    ours = [learning_rate(plan, step) for step in range(STEPS)]
    assert ours == pytest.approx(theirs(make, num_warmup_steps=warmup, **options), rel=1e-9)


def test_warm_up_over_the_whole_run_divides_by_nothing():
    plan = TrainingPlan(steps=10, batch_size=1, learning_rate=1.0, warmup=10)
    assert learning_rate(plan, 10) == 1.0
