"""Attended distance: bins by hand, the two ways to count, the even head."""

from fractions import Fraction

import pytest
import torch

from positions import published
from positions.analysis.attention import distance
from positions.errors import InvalidValueError


def looking_at(keys: list[int]) -> torch.Tensor:
    """One head in which query t gives all to keys[t]."""
    return torch.nn.functional.one_hot(torch.tensor(keys), len(keys)).double()[None]


def test_bins_are_those_of_the_published_figure() -> None:
    figure = published.load("length-generalization/attention_distance_hist")
    centres = figure[figure.pe == "nope"].bin_centre
    assert list(centres) == pytest.approx(list(distance.CENTRES))


def test_every_pair_falls_into_the_bin_around_its_distance() -> None:
    length = 90  # many distances lie on an edge between bins
    found = distance.bins(length)
    for t in range(length):
        for n in range(t + 1):
            away = Fraction(t - n, t + 1)
            assert int(found[t, n]) == int(away * 20 + Fraction(1, 2))


def test_a_head_that_looks_at_itself_is_near_and_one_at_the_first_token_far() -> None:
    length = 40
    queries = range(20, length)
    itself = distance.most_attended(looking_at([*range(length)]), queries)
    first = distance.most_attended(looking_at([0] * length), queries)
    assert itself[0] == len(queries)
    assert first[19:].sum() == len(queries)
    assert distance.near((itself / itself.sum()).tolist()) == 1
    assert distance.far((first / first.sum()).tolist()) == 1


def test_only_the_queries_asked_for_count_and_heads_add_up() -> None:
    one = looking_at([0, 1, 2, 0, 0])
    two = torch.cat([one, looking_at([0, 1, 2, 3, 4])])
    assert distance.most_attended(one, [1, 2]).tolist()[0] == 2
    found = distance.most_attended(two, [4])
    assert found.sum() == 2 and found[0] == 1 and found[16] == 1  # 4/5 away


def test_both_ways_agree_where_each_query_gives_all_to_one_key() -> None:
    maps = torch.cat([looking_at([0, 0, 1, 3, 2, 0, 4]), looking_at([0, 1, 2, 3, 4, 5, 6])])
    queries = range(7)
    assert torch.equal(distance.most_attended(maps, queries), distance.mass(maps, queries))


def test_the_mass_is_one_a_head_and_query() -> None:
    logits = torch.randn(3, 12, 12, generator=torch.Generator().manual_seed(0))
    maps = logits.masked_fill(torch.ones(12, 12).triu(1).bool(), -torch.inf).softmax(-1)
    assert float(distance.mass(maps, range(4, 12)).sum()) == pytest.approx(3 * 8)


def test_the_most_attended_key_says_nothing_of_the_rest() -> None:
    maps = torch.zeros(1, 30, 30)
    maps[0, :, 0] = 1
    maps[0, 29] = 0.6 / 29
    maps[0, 29, 0], maps[0, 29, 1:] = 0.4, 0.6 / 29
    assert distance.most_attended(maps, [29])[-2:].sum() == 1
    assert 0.4 < float(distance.mass(maps, [29])[-2:].sum()) < 0.5


def test_an_even_head_spreads_over_all_distances() -> None:
    found = distance.even(400, [399])
    assert float(found.sum()) == pytest.approx(1)
    # the outermost bins are half as wide
    assert found[1:-1].tolist() == pytest.approx([0.05] * 19)
    assert found[0] == pytest.approx(0.025)


def test_bad_input_has_clear_messages() -> None:
    maps = looking_at([0, 1, 2])
    with pytest.raises(InvalidValueError, match="positions 0 to 2"):
        distance.mass(maps, [3])
    with pytest.raises(InvalidValueError, match="at least one"):
        distance.most_attended(maps, [])
    with pytest.raises(InvalidValueError, match="keys behind them"):
        distance.mass(torch.full((1, 3, 3), 1 / 3), [1])
    with pytest.raises(InvalidValueError, match="21 numbers, not 3"):
        distance.near([0.1, 0.2, 0.7])
