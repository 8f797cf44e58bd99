"""Each property finds the encoding that breaks it, and no other does."""

import pytest
import torch
from torch import nn

from positions import encodings
from positions.encodings import Encoding, registry
from positions.errors import UnknownNameError


@pytest.fixture(autouse=True)
def untouched_registry(monkeypatch):
    monkeypatch.setattr(registry, "_classes", dict(registry._classes))


def far(q_ids, k_ids):
    return (q_ids[:, None, :, None] - k_ids[:, None, None, :]).float()


class CountsPads(Encoding):
    def positions(self, mask):
        return torch.arange(mask.shape[1]).expand(mask.shape)

    def embed(self, x, ids):
        return x + ids[..., None].float().sin()


class AssumesIds(Encoding):
    """Looks at the shape where it should look at the ids."""

    def bias(self, q, k, q_ids, k_ids):
        order = torch.arange(k_ids.shape[-1])[None]
        return -far(order[:, : q_ids.shape[-1]], order).square()


class OneRow(Encoding):
    """Takes the first row of ids for all."""

    def embed(self, x, ids):
        return x + (ids.shape[0] + ids[:1, :, None]).float().sin()


class Remembers(Encoding):
    def embed(self, x, ids):
        self.longest = max(getattr(self, "longest", 0), ids.shape[1])
        return x + (ids[..., None] / self.longest).sin()


class LearnsNothing(Encoding):
    def __init__(self, width, heads, max_length):
        super().__init__(width, heads, max_length)
        self.slope = nn.Parameter(torch.ones(heads))

    def bias(self, q, k, q_ids, k_ids):
        return -far(q_ids, k_ids) * self.slope.detach()[:, None, None]


class LooksBack(Encoding):
    """Counts distance from the first query that is there."""

    def bias(self, q, k, q_ids, k_ids):
        return -(far(q_ids - q_ids[:, :1] + k_ids[:, :1], k_ids) ** 2)


def broken(cls):
    encodings.register("broken")(cls)
    return {each.name: each for each in encodings.check("broken") if not each.holds}


@pytest.mark.parametrize(
    ("cls", "found"),
    [
        (CountsPads, {"padding left", "shift"}),
        (AssumesIds, {"cache"}),
        (OneRow, {"one row of ids"}),
        (Remembers, {"memory"}),
        (LearnsNothing, {"gradients"}),
        (LooksBack, {"cache"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_broken_is_found(cls, found):
    assert found <= set(broken(cls))


def test_what_nobody_broke_is_not_found():
    assert set(broken(LearnsNothing)) == {"gradients"}
    assert "slope" in broken(LearnsNothing)["gradients"].seen


def test_packed_documents_that_count_on_are_found():
    class CountsOn(Encoding):
        def bias(self, q, k, q_ids, k_ids):
            order = torch.arange(k_ids.shape[-1])[None].float().square()
            return order[:, None, None, :]

    assert "packing" in broken(CountsOn)


def test_a_hook_that_raises_keeps_nothing_and_says_why():
    class Raises(Encoding):
        def embed(self, x, ids):
            raise RuntimeError("no table of this length")

    found = broken(Raises)
    assert len(found) == 8
    assert all("no table of this length" in each.seen for each in found.values())


def test_only_absolute_encodings_may_notice_a_shift():
    def shift(name, **options):
        (found,) = [each for each in encodings.check(name, **options) if each.name == "shift"]
        return found.holds, found.required

    assert shift("rotary") == shift("alibi") == (True, False)
    assert shift("sinusoidal") == shift("learned", std=1.0) == (False, False)


def test_unknown_names_and_options_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'rotary'"):
        encodings.check("rotery")
    with pytest.raises(UnknownNameError, match="'slope'"):
        encodings.check("alibi", slope=1)
