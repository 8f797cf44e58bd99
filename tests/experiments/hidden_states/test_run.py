"""Position in hidden states: what a run records, and that its states are the model's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from killed_run import STEPS, resumed
from positions.analysis.probes import hidden
from positions.experiments import get
from positions.experiments.context.run import set_up
from positions.experiments.hidden_states import presets
from positions.experiments.hidden_states.run import readings, states, stretches
from positions.runs.engine import execute

EXPERIMENT = get("hidden_states")
CONFTEST = Path(__file__).with_name("conftest.py")


@pytest.mark.parametrize("encoding", ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"])
def test_a_record_holds_every_layer_before_and_after(config, encoding) -> None:
    record = execute(EXPERIMENT, config(encoding=encoding, layers=2), "smoke")
    metrics, series = record.metrics, record.series
    assert record.status == "ok" and None not in metrics.values()
    assert series["layer"] == [0, 1, 2]
    for when in ("untrained", "trained"):
        assert metrics[when] == min(series[f"error_{when}"])
        assert len(series[f"rank_{when}"]) == 3
        assert len(series[f"predicted_{when}"]) == len(series["position"])
    assert set(series["position"]) <= set(range(1, 16)), "`<bos>`, at 0, is left out"
    assert series["error_trained"] != series["error_untrained"]
    assert metrics["texts"] == 2 * 68


def test_the_same_numbers_again_and_others_with_another_seed(config) -> None:
    first, again, other = (EXPERIMENT.run(config(seed=seed)) for seed in (1, 1, 2))
    assert (first.metrics, first.series) == (again.metrics, again.series)
    assert first.series != other.series


def test_states_are_those_of_the_model_and_the_last_leads_to_its_output(config) -> None:
    setup = set_up(config(layers=2))
    texts = stretches(setup)
    found = states(setup.model, texts)
    assert texts[:, 0].eq(setup.tokens.tokenizer.begin_id).all()
    assert len(found) == 3
    with torch.no_grad():
        expected = setup.model.transformer(texts)
    last = torch.from_numpy(found[-1])
    normed = setup.model.transformer.final_norm(last)
    torch.testing.assert_close(normed, expected, rtol=1e-4, atol=1e-5)


def test_without_encoding_and_layers_nothing_can_be_read(config) -> None:
    """The embedded tokens of NoPE hold no position; a sinusoid's hold it from the start."""
    errors = {}
    for name, options in (("nope", ""), ("sinusoidal", "amplitude=1.0")):
        settings = config(encoding=name, encoding_options=options, width=16)
        setup = set_up(settings)
        texts = stretches(setup)
        parts = hidden.split(texts[:, 1:].numpy(), 0)
        errors[name] = readings(setup.model, texts, parts)[0]
    assert errors["nope"].error > 0.95 * errors["nope"].guess
    assert abs(errors["nope"].spearman) < 0.2
    assert errors["sinusoidal"].error < 0.9 * errors["sinusoidal"].guess
    assert errors["sinusoidal"].spearman > 0.5


def test_a_model_that_diverged_keeps_what_was_read_before(config) -> None:
    record = execute(EXPERIMENT, config(learning_rate=1e30), "smoke")
    assert record.status == "diverged"
    assert record.metrics["trained"] is None and record.metrics["untrained"] is not None
    assert "error_trained" not in record.series


def test_a_killed_run_goes_on_and_gives_the_same_numbers(config, tmp_path) -> None:
    run = config(steps=STEPS, evaluate_every=50)
    metrics, series, data = resumed(EXPERIMENT, run, tmp_path, CONFTEST)
    expected = json.loads(json.dumps(vars(EXPERIMENT.run(run)), default=str))
    assert (metrics, series, data) == tuple(
        expected[name] for name in ("metrics", "series", "data")
    )


@pytest.mark.parametrize("preset", sorted(presets.PRESETS))
def test_presets_change_nothing_but_encoding_and_seed(preset) -> None:
    configs = presets.PRESETS[preset]()
    settings = [
        {k: v for k, v in each.canonical().items() if not k.startswith(("encoding", "seed"))}
        for each in configs
    ]
    assert all(each == settings[0] for each in settings)
    assert len({EXPERIMENT.key(each) for each in configs}) == len(configs)
    assert {each.encoding for each in configs} >= {"nope", "learned", "t5", "alibi", "rotary"}
