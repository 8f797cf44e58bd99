"""What can be run, and what is said of what cannot, before anything is trained."""

import pytest

from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import get
from positions.experiments.language_modelling.placed import Rows


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"corpus": "wikitext2"}, UnknownNameError, ["Did you mean 'wikitext-2'"]),
        ({"objective": "mask"}, InvalidValueError, ["objective", "masked", "causal"]),
        ({"table": "gpt-2/wpe!"}, UnknownNameError, ["gpt2"]),
        ({"table": "shuffled:"}, UnknownNameError, ["table"]),
        ({"vocabulary": None}, InvalidValueError, ['"own" needs a vocabulary']),
        ({"tokenizer": "gpt3"}, UnknownNameError, ["Did you mean 'gpt2'"]),
        ({"tokenizer": "gpt2"}, InvalidValueError, ["leave vocabulary out"]),
        (
            {"tokenizer": "gpt2", "vocabulary": None, "objective": "masked"},
            InvalidValueError,
            ["no token for what is masked", "bert-base-uncased"],
        ),
        (
            {"length": 17},
            InvalidValueError,
            ["length = 17 from row 0 on", "reach row 64", "rows = 64"],
        ),
        ({"offsets": [53]}, InvalidValueError, ["from row 53", "reach row 64"]),
        ({"offsets": [-1]}, InvalidValueError, ["0 or more"]),
        ({"stride": 6}, InvalidValueError, ["reach row 66"]),
        ({"length": 3}, InvalidValueError, ["length"]),
        ({"steps": None}, InvalidValueError, ["give steps, or epochs"]),
        ({"epochs": 1}, InvalidValueError, ["give steps, or epochs"]),
        ({"heads": 3}, InvalidValueError, ["width = 16", "heads = 3"]),
        ({"learning_rate": 0.0}, InvalidValueError, ["learning_rate"]),
        ({"vocabularly": 300}, InvalidValueError, ["Did you mean 'vocabulary'?"]),
    ],
)
def test_bad_settings_are_one_clear_message(config, changes, error, words) -> None:
    with pytest.raises(error) as caught:
        config(**changes)
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


def test_the_rows_of_training_are_measured_first_and_none_twice(config) -> None:
    found = config(stride=4).selections()
    assert found[0] == Rows(0, 4)
    assert len(set(found)) == len(found) == 5


def test_the_hosts_are_those_of_the_paper(config) -> None:
    masked = config(objective="masked").model(300)
    causal = config(objective="causal").model(300)
    assert (masked.causal, masked.norm_place, masked.output_transform) == (False, "post", True)
    assert (causal.causal, causal.norm_place, causal.output_transform) == (True, "pre", False)


def test_what_is_not_at_hand_is_found_out_before_the_run(config, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    requires = get("language_modelling").requires
    assert requires(config()) is None
    assert "shuffled:gpt2 is not at hand" in requires(config(table="shuffled:gpt2"))
    ready = config(tokenizer="gpt2", vocabulary=None)
    assert "tokenizer of GPT-2: not at hand" in requires(ready)
