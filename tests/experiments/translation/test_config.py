"""What can be run, and what is said of what cannot, before anything is trained."""

import pytest

from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import get


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"corpus": "multi30"}, UnknownNameError, ["Did you mean 'multi30k'"]),
        ({"encoder": "gpt-2/wpe!"}, UnknownNameError, ["gpt2"]),
        ({"decoder": "sinusoid al"}, UnknownNameError, ["Valid"]),
        ({"preparation": "same"}, InvalidValueError, ["preparation", "matched", "paper"]),
        ({"smoothing": 1.0}, InvalidValueError, ["smoothing"]),
        ({"steps": None}, InvalidValueError, ["give steps, or epochs"]),
        ({"epochs": 1}, InvalidValueError, ["give steps, or epochs"]),
        ({"heads": 3}, InvalidValueError, ["width = 16", "heads = 3"]),
        ({"warmup": 0}, InvalidValueError, ["warmup of at least 1"]),
        ({"beams": 0}, InvalidValueError, ["beams"]),
        ({"seed": -1}, InvalidValueError, ["seed"]),
        ({"beam": 5}, InvalidValueError, ["Did you mean 'beams'?"]),
    ],
)
def test_bad_settings_are_one_clear_message(config, changes, error, words) -> None:
    with pytest.raises(error) as caught:
        config(**changes)
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


def test_the_host_is_that_of_the_paper(config) -> None:
    found = config(width=512, heads=4, layers=6, hidden=1_024).model(300, 200)
    assert (found.encoder.vocabulary, found.decoder.vocabulary) == (300, 200)
    assert (found.decoder.norm_place, found.decoder.tied) == ("post", True)
    assert found.encoder.embedding_scale == "sqrt(width)"


def test_what_is_not_at_hand_is_found_out_before_the_run(config, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    requires = get("translation").requires
    assert requires(config()) is None
    assert "gpt2 is not at hand" in requires(config(encoder="gpt2"))
    assert "gpt2 is not at hand" in requires(config(decoder="gpt2"))
