"""Which examples are looked at, which rows of attention, and how they are averaged."""

from collections import Counter

import numpy as np
import pytest
import torch

from positions import tasks
from positions.analysis.attention import distance
from positions.experiments.attention import measure
from positions.model import LanguageModel, lengen_decoder


@pytest.fixture(scope="module")
def addition():
    task = tasks.build("addition", longest=2)
    return task, task.dataset(sizes=tasks.Sizes(100, 60))


def test_so_many_of_each_category_within_and_beyond(addition) -> None:
    _, dataset = addition
    chosen = measure.first_of_each(dataset, 2)
    counts = Counter(example.category for example in chosen)
    assert set(counts) == {f"{a}-by-{b}" for a in range(1, 5) for b in range(1, 5)}
    assert max(counts.values()) == 2
    assert chosen == sorted(chosen, key=lambda example: example.length)
    assert not set(chosen) & (set(dataset.train) - set(dataset.validation) - set(dataset.test))


@pytest.mark.parametrize("form", ["none", "minimal", "full"])
def test_the_answers_sentence_is_asked_for_and_no_step_before_it(form) -> None:
    task = tasks.build("addition", longest=2, scratchpad=form)
    tokenizer = task.tokenizer()
    for example in task.examples("test", 0, 20):
        tokens = tokenizer.encode(example.source + example.target)
        asked = measure.queries(example, tokenizer)
        assert asked.stop == len(tokens)
        sentence = tokenizer.decode(tokens[position] for position in asked)
        assert sentence == f"The answer is {' '.join(example.answer)}."


@pytest.fixture
def model() -> LanguageModel:
    torch.manual_seed(0)
    shape = lengen_decoder(
        "small", vocabulary=9, max_length=12, width=16, heads=2, layers=3, hidden=16, dropout=0.5
    )
    return LanguageModel(shape, ("alibi", {})).eval()


def test_one_causal_map_a_layer(model) -> None:
    maps = measure.attention(model, (3, 1, 4, 1, 5))
    assert [tuple(each.shape) for each in maps] == [(2, 5, 5)] * 3
    assert all(float(each.triu(1).max()) == 0 for each in maps)
    assert all(torch.allclose(each.sum(-1), torch.ones(2, 5)) for each in maps)


def test_a_model_is_at_no_distance_from_itself_but_for_the_coded_form(model) -> None:
    maps = measure.attention(model, (3, 1, 4, 1, 5))
    found = measure.apart(maps, maps)
    assert found.shape == (3, len(measure.FORMS))
    assert np.abs(found[:, :2]).max() < 1e-12
    assert found[:, 2].min() > 0


def test_examples_of_a_length_are_averaged_before_lengths_are() -> None:
    means = measure.Means()
    for length, value in ((5, 1.0), (3, 8.0), (5, 3.0)):
        means.add(length, np.full((2, 1), value))
    assert means.lengths == [3, 5]
    assert means.table()[..., 0].tolist() == [[8, 8], [2, 2]]


def test_shares_add_up_layer_by_layer(model) -> None:
    distances = measure.Distances(3)
    for tokens in ((3, 1, 4, 1, 5, 2, 6), (1, 2, 3, 4, 5)):
        distances.add(measure.attention(model, tokens), range(3, len(tokens)))
    shares = {name: np.array(values) for name, values in distances.shares().items()}
    assert shares["most_attended"].shape == shares["mass"].shape == (3, distance.BINS)
    for values in shares.values():
        assert np.allclose(values.sum(-1), 1)


def test_an_untrained_alibi_looks_nearer_than_an_even_head(model) -> None:
    distances = measure.Distances(3)
    tokens = tuple(range(1, 9)) * 4
    distances.add(measure.attention(model, tokens), range(16, 32))
    shares = distances.shares()
    assert distance.near(np.mean(shares["mass"], 0)) > distance.near(shares["even"])
