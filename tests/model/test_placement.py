"""Which encoding serves which layer, and what the layers share."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from positions.encodings import Encoding, build
from positions.errors import InvalidValueError, UnknownNameError
from positions.model import LanguageModel, ModelConfig, Transformer
from positions.model.placement import Placement

CONFIG = ModelConfig(vocabulary=9, width=8, heads=2, layers=4, hidden=16, max_length=12)
TOKENS = torch.tensor([[1, 2, 3, 4, 5, 6, 7]])


class Counting(Encoding):
    """Counts how often each hook is called."""

    def __init__(self) -> None:
        super().__init__(CONFIG.width, CONFIG.heads, CONFIG.max_length)
        self.calls: list[str] = []

    def positions(self, mask: Tensor) -> Tensor:
        self.calls.append("positions")
        return super().positions(mask)

    def embed(self, x: Tensor, ids: Tensor) -> Tensor:
        self.calls.append("embed")
        return x

    def rotate(self, q: Tensor, k: Tensor, q_ids: Tensor, k_ids: Tensor) -> tuple[Tensor, Tensor]:
        self.calls.append("rotate")
        return q, k

    def bias(self, q: Tensor | None, k: Tensor | None, q_ids: Tensor, k_ids: Tensor) -> None:
        assert (q is not None) == self.bias_reads_content
        self.calls.append("bias")


class Reading(Counting):
    """A bias that looks at queries and keys."""

    bias_reads_content = True


def calls(encoding: Counting) -> dict[str, int]:
    Transformer(CONFIG, encoding)(TOKENS)
    return {name: encoding.calls.count(name) for name in ("positions", "embed", "rotate", "bias")}


def test_a_shared_encoding_is_asked_once_but_for_what_each_layer_needs():
    assert calls(Counting()) == {"positions": 1, "embed": 1, "rotate": 4, "bias": 1}


def test_a_bias_that_reads_content_is_asked_in_every_layer():
    assert calls(Reading()) == {"positions": 1, "embed": 1, "rotate": 4, "bias": 4}


def test_equal_specifications_share_one_encoding_and_objects_are_themselves():
    options = {"buckets": 8}
    shared = Placement(["nope", ("t5", options), "nope", ("t5", dict(options))], CONFIG)
    assert shared.of_layer == [0, 1, 0, 1]
    apart = Placement([("t5", {"buckets": n}) for n in (4, 6, 8, 10)], CONFIG)
    assert apart.of_layer == [0, 1, 2, 3]
    one, other = (build("t5", width=8, heads=2, max_length=12) for _ in range(2))
    assert Placement([one, other, one, one], CONFIG).of_layer == [0, 1, 0, 0]
    assert len(list(Placement("t5", CONFIG).parameters())) == 1
    tables = [np.zeros((12, 8)), np.ones((12, 8))]
    learned = Placement([("learned", {"table": tables[n % 2]}) for n in range(4)], CONFIG)
    assert learned.of_layer == [0, 1, 0, 1]


def test_an_encoding_enters_at_the_first_layer_that_it_serves():
    """Before that layer the model knows no position: a constant text has equal states."""
    model = Transformer(CONFIG.changed(causal=False), ["nope", "nope", "sinusoidal", "sinusoidal"])
    states: list[Tensor] = []
    for layer in model.layers:
        layer.register_forward_pre_hook(lambda _, given: states.append(given[0]))
    model.eval()(torch.ones(1, 5, dtype=torch.int64))
    spread = [float((x - x[:, :1]).detach().abs().max()) for x in states]
    assert spread[0] < 1e-6
    assert spread[1] < 1e-6
    assert spread[2] > 0.1


def test_each_layer_uses_the_encoding_it_was_given():
    """The first and the last of two encodings matter both, and their order."""
    logits = []
    for encodings in (["alibi", "nope"], ["nope", "alibi"], ["alibi", "alibi"]):
        torch.manual_seed(0)
        model = LanguageModel(CONFIG.changed(layers=2), encodings)
        logits.append(model(TOKENS))
    for n in range(3):
        assert (logits[n] - logits[n - 1]).abs().max() > 1e-4


@pytest.mark.parametrize("name", ["t5", "alibi"])
def test_a_bias_looks_both_ways_where_the_stack_does(name: str):
    assert Placement(name, CONFIG.changed(causal=False)).distinct()[0].bidirectional is True
    assert Placement(name, CONFIG).distinct()[0].bidirectional is False
    forced = Placement((name, {"bidirectional": False}), CONFIG.changed(causal=False))
    assert forced.distinct()[0].bidirectional is False


def test_what_does_not_fit_is_refused():
    with pytest.raises(InvalidValueError, match="2 encodings are listed for 4 layers"):
        Placement(["nope", "alibi"], CONFIG)
    with pytest.raises(UnknownNameError, match="Unknown encoding 'rotray'"):
        Placement("rotray", CONFIG)
    with pytest.raises(UnknownNameError, match="'bukets'"):
        Placement(("t5", {"bukets": 8}), CONFIG)
    with pytest.raises(InvalidValueError, match=r"must be a name, a pair \(name, options\)"):
        Placement(["nope", 3, "nope", "nope"], CONFIG)  # type: ignore[list-item]
    wide = build("learned", width=16, heads=2, max_length=12)
    with pytest.raises(InvalidValueError, match="built for width 16 and 2 heads"):
        Placement(wide, CONFIG)


def test_starting_weights_leave_an_encoding_alone():
    table = np.arange(96, dtype=np.float32).reshape(12, 8)
    for scheme in ("t5", "normal", "fairseq", "default"):
        model = LanguageModel(CONFIG.changed(init=scheme), ("learned", {"table": table}))
        held = model.transformer.placement.distinct()[0].table
        torch.testing.assert_close(held.detach(), torch.from_numpy(table))


@pytest.mark.parametrize("option", ["width", "heads", "max_length"])
def test_a_models_size_is_no_option_of_its_encoding(option):
    with pytest.raises(UnknownNameError, match=f"option of rotary: '{option}'"):
        LanguageModel(CONFIG, ("rotary", {option: 4}))
