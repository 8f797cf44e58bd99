"""What is counted in fixed sets, against small sets counted by hand and published facts."""

import math

import pytest

from positions import tasks
from positions.book.pictures.tasks import sets
from positions.errors import InvalidValueError, UnknownNameError
from positions.tasks import Sizes, encode

SMALL = Sizes(train=600, test=120)
NAMES = ["copy_v3_multi", "addition", "summation", "parity", "pcfg"]


@pytest.fixture(scope="module")
def counts():
    return sets.survey([tasks.build(name) for name in NAMES], sizes=SMALL)


@pytest.mark.parametrize("name", ["summation", "pcfg"])
def test_counts_are_those_of_the_sets_themselves(counts, name):
    task = tasks.build(name)
    drawn = task.dataset(sizes=SMALL)
    known = {each.source for each in drawn.train}
    for split in ("train", "validation", "test"):
        examples = getattr(drawn, split)
        lengths = [len(each.ids) for each in encode(examples, task.tokenizer())]
        found = sets.totals(counts).loc[(name, split)]
        assert found["examples"] == len(examples)
        assert found["different"] == len({each.source for each in examples})
        assert found["seen"] == sum(each.source in known for each in examples)
        assert (found["fewest"], found["most"]) == (min(lengths), max(lengths))


def test_test_lengths_are_new_and_so_are_their_prompts(counts):
    by_split = counts.groupby(["task", "split"])["length"].agg(["min", "max"])
    for name in NAMES:
        assert by_split.loc[(name, "test"), "min"] > by_split.loc[(name, "train"), "max"]
    assert counts.loc[counts["split"] == "test", "seen"].sum() == 0


def test_only_new_positions_are_past_the_training_set(counts):
    sums = sets.totals(counts)
    assert (sums["past_all"] <= sums["past_nearly_all"]).all()
    assert (sums["past_all"].xs("train", level="split") == 0).all()
    copied = sums.loc[("copy_v3_multi", "test")]
    assert copied["past_all"] == copied["examples"]
    assert sums.loc[("addition", "test"), "past_all"] < sums.loc[("addition", "test"), "examples"]


def test_parity_has_496_strings_and_validation_no_new_one():
    sums = sets.totals(sets.survey([tasks.build("parity")], sizes=Sizes(20_000, 100)))
    assert sums.loc[("parity", "train"), "different"] == sum(2**bits for bits in range(4, 9)) == 496
    validation = sums.loc[("parity", "validation")]
    assert validation["seen"] == validation["examples"] == 3_000


def test_with_distinct_prompts_nothing_is_seen_twice():
    counts = sets.survey([tasks.build("summation")], distinct=True, sizes=SMALL)
    assert (counts["different"] == counts["examples"]).all()
    assert (counts.loc[counts["split"] != "train", "seen"] == 0).all()


def test_too_few_distinct_prompts_are_refused():
    with pytest.raises(InvalidValueError, match="only 496 exist"):
        sets.survey([tasks.build("parity")], distinct=True)


def test_pieces_of_t5_are_counted_where_they_are_known(counts):
    known = counts.groupby("task")["paper_most"].count()
    assert known["parity"] == 0
    assert (known.drop("parity") == counts.groupby("task").size().drop("parity")).all()
    copied = counts[counts["task"] == "copy_v3_multi"]
    assert (copied["paper_most"] == 2 * copied["length"] + 7).all()  # counted in the authors' logs


def test_sizes_are_those_of_the_authors_logs():
    full = sets.survey([tasks.build("scan")])
    assert sets.same_as_logged(full).to_dict() == {"scan": True}


def test_smaller_sets_are_not_those_of_the_logs_and_not_all_are_logged(counts):
    agree = sets.same_as_logged(counts).to_dict()
    assert agree == {"copy_v3_multi": False, "addition": False, "pcfg": False}


def test_a_preset_s_sets_have_its_lengths_and_sizes():
    counts = sets.survey_runs("smoke")
    sums = sets.totals(counts)
    assert sums.loc[("addition", "train"), "examples"] == 200
    lengths = counts.groupby("task")["length"].max()
    assert (lengths == 8).all()  # trained up to 4, tested up to 8
    with pytest.raises(UnknownNameError, match="laptop"):
        sets.survey_runs("lap")


def test_means_lie_between_fewest_and_most(counts):
    assert (counts["fewest"] <= counts["mean"]).all()
    assert (counts["mean"] <= counts["most"]).all()
    assert math.isclose(counts["examples"].sum(), len(NAMES) * 810, rel_tol=0.05)
