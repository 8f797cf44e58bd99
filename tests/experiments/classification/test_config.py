"""What can be run, and what is said of what cannot."""

import pytest

from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.classification.config import requires
from positions.model import DropoutRates
from positions.tasks import sentences


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"task": "sst"}, UnknownNameError, "Did you mean 'sst2'"),
        ({"table": "gpt 2"}, UnknownNameError, "Did you mean 'gpt2'"),
        ({"table": "zeros", "preparation": "whitened"}, InvalidValueError, "nothing to prepare"),
        ({"preparation": "raw"}, InvalidValueError, "preparation = 'raw'"),
        ({"readout": "last"}, InvalidValueError, "readout = 'last'"),
        ({"shift": 40}, InvalidValueError, "shift = 40 moves the first word past"),
        ({"heads": 3}, InvalidValueError, "width = 16 cannot be shared among heads = 3"),
        ({"epochs": 0}, InvalidValueError, "epochs"),
        ({"seeds": 3}, InvalidValueError, "unknown setting 'seeds'.*Did you mean 'seed'"),
    ],
)
def test_what_cannot_be_run_is_said(config, changes, error, words) -> None:
    with pytest.raises(error, match=words):
        config(**changes)


def test_the_host_is_the_papers(config) -> None:
    """Section 5.1, by their code."""
    model = config(rows=128, width=256, heads=8, hidden=512, dropout=0.1).model(1_000)
    assert (model.layers, model.norm_place, model.final_norm, model.causal) == (
        1,
        "post",
        True,
        False,
    )
    assert (model.activation, model.max_length, model.embedding_scale) == ("relu", 128, "none")
    assert model.dropout == DropoutRates(embedding=0.1, attention=0.1, hidden=0.1, residual=0.1)


def test_training_is_adam_at_a_constant_rate(config) -> None:
    plan = config(learning_rate=1e-4, epochs=30, batch_size=32).plan(267)
    assert plan.steps == 8_010
    assert (plan.schedule, plan.weight_decay, plan.clip, plan.warmup) == ("constant", 0, None, 0)


def test_what_is_not_at_hand_is_said_and_what_is_is_not(config, tmp_path, monkeypatch) -> None:
    sentences.missing.cache_clear()
    monkeypatch.delenv("POSITIONS_DATA", raising=False)
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert requires(config()) is None
    assert requires(config(table="random")) is None
    assert "the table gpt2 is not at hand" in requires(config(table="gpt2"))
    assert "the table shuffled:gpt2 is not at hand" in requires(config(table="shuffled:gpt2"))
    assert "the sentences of MR are not at hand" in requires(config(task="mr"))
    sentences.missing.cache_clear()
