"""One run: numbers that follow from the models alone, and what it says of what it cannot do."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.attention import measure, weights
from positions.experiments.attention.config import AGAINST
from positions.runs.engine import execute

EXPERIMENT = get("attention")
pytestmark = pytest.mark.usefixtures("book")


def test_divergences_lie_where_they_can_and_series_fit(config) -> None:
    outcome = EXPERIMENT.run(config())
    assert outcome.series["length"] == [4, 5, 6, 7]
    for against in AGAINST:
        table = np.array(outcome.series[f"{against}_closest"])
        assert table.shape == (4, 2)
        assert table.min() >= 0 and table.max() <= math.log(2)
        assert (table <= np.array(outcome.series[f"{against}_matched"]) + 1e-9).all()
        assert outcome.metrics[f"{against}_closest"] == pytest.approx(table.mean(), rel=1e-4)
    assert np.sum(outcome.series["most_attended"], axis=1) == pytest.approx([1, 1], rel=1e-4)
    assert outcome.metrics["near"] == pytest.approx(
        np.mean(outcome.series["most_attended"], axis=0)[:2].sum(), rel=1e-4
    )


def test_agrees_with_the_two_models_taken_by_hand(config) -> None:
    run = config(examples=1, encoding="alibi")
    outcome = EXPERIMENT.run(run)
    task = run.build_task()
    dataset = task.dataset(sizes=run.build_task().sizes._replace(train=200, test=40))
    (example,) = [e for e in measure.first_of_each(dataset, 1) if e.length == 7]
    tokens = task.tokenizer().encode(example.source + example.target)
    one = measure.attention(weights.trained(run.model_of()).model, tokens)[1]
    other = measure.attention(weights.trained(run.beside()["other_seed"]).model, tokens)[1]
    pairs = [
        np.mean([jensenshannon(p[t].double(), q[t].double()) ** 2 for t in range(len(tokens))])
        for p in one
        for q in other
    ]
    assert outcome.series["other_seed_closest"][-1][1] == pytest.approx(min(pairs), rel=1e-3)


def test_runs_with_a_scratchpad(config) -> None:
    outcome = EXPERIMENT.run(config(scratchpad="minimal", examples=1))
    assert outcome.metrics["itself_closest"] > 0
    assert outcome.metrics["near"] + outcome.metrics["far"] <= 1


def test_nope_is_compared_with_its_twin_alone(config) -> None:
    metrics = EXPERIMENT.run(config(encoding="nope")).metrics
    assert metrics["same_seed_closest"] is None
    assert metrics["other_seed_closest"] == metrics["itself_closest"] > 0


def test_the_same_seed_starts_nope_and_alibi_alike_and_another_does_not(config) -> None:
    """Why a model of the same seed is no fair comparison."""
    metrics = EXPERIMENT.run(config(encoding="alibi", steps=1, learning_rate=1e-6)).metrics
    assert metrics["same_seed_matched"] < metrics["other_seed_matched"] / 3


def test_the_same_numbers_again(config) -> None:
    first, again = (EXPERIMENT.run(config()) for _ in range(2))
    assert (first.metrics, first.series, first.data) == (again.metrics, again.series, again.data)


def test_a_model_that_diverged_is_recorded_as_such(config) -> None:
    run = config(learning_rate=1e30)
    record = execute(EXPERIMENT, run, "smoke")
    assert record.status == "diverged"
    assert record.metrics["iid"] is None and record.series == {}


def test_nothing_short_enough_is_said(config) -> None:
    with pytest.raises(InvalidValueError, match="token_limit"):
        EXPERIMENT.run(config(token_limit=3))
