"""What can be run, and what is said of what cannot, before anything is trained."""

import pytest
import torch

from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import get


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"corpus": "wikitext2"}, UnknownNameError, ["Did you mean 'wikitext-2'"]),
        ({"encoding": "rotory"}, UnknownNameError, ["Did you mean 'rotary'"]),
        ({"encoding": "alibi", "encoding_options": "fraction=1"}, UnknownNameError, ["option of"]),
        ({"contexts": [8]}, InvalidValueError, ["contexts", "two contexts or more"]),
        ({"contexts": [8, 4]}, InvalidValueError, ["from the shortest to the longest"]),
        ({"contexts": [8, 8, 9]}, InvalidValueError, ["from the shortest to the longest"]),
        ({"contexts": [4, 12]}, InvalidValueError, ["lack context = 8", "add it"]),
        ({"contexts": [0, 8]}, InvalidValueError, ["contexts"]),
        ({"scored": 5}, InvalidValueError, ["scored = 5", "shortest of contexts, 4"]),
        ({"heads": 3}, InvalidValueError, ["width = 16", "heads = 3"]),
        ({"learning_rate": 0.0}, InvalidValueError, ["learning_rate"]),
        ({"vocabularly": 300}, InvalidValueError, ["Did you mean 'vocabulary'?"]),
        (
            {"encoding": "learned"},
            InvalidValueError,
            ["contexts go up to 24", "context = 8 does not", "has 8 rows", "contexts up to 8"],
        ),
    ],
)
def test_bad_settings_are_one_clear_message(config, changes, error, words) -> None:
    with pytest.raises(error) as caught:
        config(**changes)
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


def test_a_learned_table_may_be_measured_within_its_rows(config) -> None:
    assert config(encoding="learned", contexts=[4, 6, 8]).contexts == (4, 6, 8)


def test_options_have_one_spelling(config) -> None:
    one = config(encoding="rotary", encoding_options="base=10.0  fraction=0.50")
    assert one.encoding_options == "base=10.0 fraction=0.5"
    other = config(encoding="rotary", encoding_options="fraction=0.5 base=10")
    assert other == one


def test_making_a_config_draws_no_random_numbers(config) -> None:
    before = torch.get_rng_state()
    config(encoding="t5")
    assert torch.equal(before, torch.get_rng_state())


def test_a_corpus_that_is_not_there_is_found_out_before_the_run(config) -> None:
    experiment = get("context")
    assert experiment.requires(config()) is None
    assert "30 billion tokens" in experiment.requires(config(corpus="starcoder"))
