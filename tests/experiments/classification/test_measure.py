"""What a classifier answers: dependence on the batch, on the order of the words, on positions."""

import importlib

import pytest
import torch

from positions.experiments.classification import measure

# the package exports the function of that name
one_run = importlib.import_module("positions.experiments.classification.run")


@pytest.fixture
def trained(config):
    """A model trained a little, and what it was trained on."""

    def train(**changes):
        settings = config(**changes)
        setup = one_run.set_up(settings)
        one_run.train(settings, setup)
        return settings, setup

    return train


def logits(setup, rows):
    batch = setup.test.batch(rows)
    with torch.no_grad():
        return setup.model(batch.tokens, batch.mask)


@pytest.mark.parametrize("readout", ["last_real", "first", "mean"])
def test_other_read_outs_do_not_depend_on_the_batch(trained, readout) -> None:
    _, setup = trained(readout=readout)
    together = logits(setup, torch.arange(len(setup.test)))
    alone = torch.cat([logits(setup, torch.tensor([row])) for row in range(len(setup.test))])
    assert together == pytest.approx(alone, abs=1e-5)


def test_the_papers_read_out_depends_on_the_batch(trained) -> None:
    """Quirk 12: the vector that is read is a pad's, at the length of the longest of the batch."""
    _, setup = trained()
    together = logits(setup, torch.arange(len(setup.test)))
    alone = torch.cat([logits(setup, torch.tensor([row])) for row in range(len(setup.test))])
    assert (together - alone).abs().max() > 1e-3
    longest = len(setup.test) - 1  # for the longest text there is no pad to read
    assert together[longest] == pytest.approx(alone[longest], abs=1e-5)


def test_reading_a_pad_does_not_give_the_same_answer_to_all(trained) -> None:
    """Quirk 12: a fast path that zeroes pads would make this read-out constant."""
    _, setup = trained()
    assert logits(setup, torch.arange(len(setup.test))).std(0).min() > 1e-3


def test_answers_come_in_the_texts_order_whatever_the_order_of_batches(trained) -> None:
    settings, setup = trained(readout="mean")
    found = measure.answers(setup.model, setup.test, 7, "any order")
    alone = torch.cat([logits(setup, torch.tensor([row])) for row in range(len(setup.test))])
    assert torch.equal(found, alone.argmax(-1))
    assert settings.readout == setup.model.readout


def test_in_batches_of_one_the_papers_read_out_gives_single_answers(trained) -> None:
    _, setup = trained()
    found = measure.answers(setup.model, setup.test, 1, "any order")
    alone = torch.cat([logits(setup, torch.tensor([row])) for row in range(len(setup.test))])
    assert torch.equal(found, alone.argmax(-1))


def test_frozen_zeros_see_a_bag_of_words(trained) -> None:
    """But for the word that is read out, which the paper's read-out has of the longest texts."""
    for readout, texts in (("mean", 60), ("last_padded", 40)):
        _, setup = trained(table="zeros", frozen=True, readout=readout)
        assert not measure.table_of(setup.model).any()
        mixed = measure.as_dataset(
            measure.shuffled(setup.texts, 3), setup.vocabulary, setup.model.classes
        ).batch(torch.arange(60))
        with torch.no_grad():
            other = setup.model(mixed.tokens, mixed.mask)
        assert logits(setup, torch.arange(60))[:texts] == pytest.approx(other[:texts], abs=1e-5)


def test_shuffling_keeps_words_and_labels(trained) -> None:
    _, setup = trained()
    mixed = measure.shuffled(setup.texts, 0)
    pairs = list(zip(setup.texts, mixed, strict=True))
    assert all(sorted(a.words) == sorted(b.words) and a.label == b.label for a, b in pairs)
    assert any(a.words != b.words for a, b in pairs)
    assert mixed == measure.shuffled(setup.texts, 0)


def test_positions_moved_on_are_rows_further_on(trained) -> None:
    _, setup = trained(readout="mean")
    before = measure.table_of(setup.model)
    with measure.moved_on(setup.model, 4):
        moved = measure.table_of(setup.model)
        assert torch.equal(moved[:-4], before[4:])
    assert torch.equal(measure.table_of(setup.model), before)


def test_correlation() -> None:
    one = torch.randn(5, 4, generator=torch.Generator().manual_seed(0))
    assert measure.correlation(one, 3 * one + 2) == pytest.approx(1)
    assert measure.correlation(one, -one) == pytest.approx(-1)
    assert measure.correlation(torch.zeros(5, 4), one) is None
