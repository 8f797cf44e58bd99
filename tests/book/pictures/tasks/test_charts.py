"""Charts of tasks: each can be shown, is light, and shows what is so."""

import numpy as np
import pytest

from positions import tasks
from positions.book import charts as book
from positions.book.pictures.tasks import bounds, charts, languages, sets
from positions.tasks import Sizes, build

SIZES = Sizes(train=2_000, test=400)
SOME = ["addition", "scan", "pcfg"]


@pytest.fixture(scope="module")
def counts():
    return sets.survey([build(name) for name in tasks.names()], sizes=SIZES)


@pytest.fixture(scope="module")
def pictures(counts):
    few = [build("summation"), build("polynomial")]
    apart = sets.survey(few, distinct=True, sizes=SIZES)
    return {
        **{group: charts.tokens(counts, group) for group in charts.COLOURS},
        "growth": charts.growth(counts, ["copy_v3_multi", *SOME]),
        "spread": charts.spread(counts, SOME),
        "seen": charts.seen(counts, ["parity", "addition", "copy_v3_multi"]),
        "apart": charts.kept_apart(counts, apart),
        "answers": bounds.answers(most=3, size=500),
        "ceiling": bounds.ceiling(),
        "cuts": languages.scan_cuts(),
    }


def test_each_can_be_shown_with_words_and_numbers(pictures):
    for name, picture in pictures.items():
        shown = book.figure(picture.chart, description=picture.description, data=picture.numbers)
        assert picture.description in shown["text/plain"], name
        assert len(picture.numbers) > 5, name
        assert len(str(picture.chart.to_dict())) < 150_000, name


def test_groups_have_one_colour_each():
    assert len(set(charts.COLOURS.values())) == 3
    assert list(charts.COLOURS) == list(dict.fromkeys(build(n).group for n in tasks.names()))


def test_each_group_shows_its_tasks_with_all_three_sets(pictures):
    for group in charts.COLOURS:
        frame = pictures[group].numbers
        expected = [name for name in tasks.names() if build(name).group == group]
        assert list(frame["task"].unique()) == expected
        assert (frame.groupby("task")["set"].nunique() == 3).all()


def test_shares_of_a_set_add_up(pictures):
    sums = pictures["spread"].numbers.groupby(["task", "set"])["share"].sum()
    np.testing.assert_allclose(sums, 1, atol=0.003)
    # pairs of lengths up to 8 by 8, of which 15 have a number of 8 digits
    frame = pictures["spread"].numbers.set_index(["task", "set", "length"])["share"]
    assert frame["addition", "training", 8] == pytest.approx(15 / 64, abs=0.02)


def test_short_strings_of_bits_have_all_been_seen(pictures):
    frame = pictures["seen"].numbers
    parity = frame[frame["task"] == "parity"].set_index("length")["share"]
    assert parity[4] == 1
    copied = frame[frame["task"] == "copy_v3_multi"].set_index("length")["share"]
    assert copied[20] == 0


def test_without_repeats_short_lengths_run_out(pictures):
    frame = pictures["apart"].numbers
    summation = frame[(frame["task"] == "summation") & (frame["length"] == 2)]
    drawn = summation.set_index("draw")["examples"]
    assert drawn["no prompt twice"] <= 9**2 < drawn["as in the paper"]
