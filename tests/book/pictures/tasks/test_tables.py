"""Tables of tasks, against what is known of each task and against a task of one's own."""

import re
from dataclasses import dataclass

import pytest

from positions import tasks
from positions.book.pictures.tasks import sets, tables
from positions.errors import InvalidValueError
from positions.tasks import Sizes
from positions.tasks.copying import ListCopy

EVERYTHING = [tasks.build(name) for name in tasks.names()]
NAMES = [task.name for task in EVERYTHING]


@dataclass(frozen=True, kw_only=True)
class Own(ListCopy):
    """A list of one's own: the same."""

    parts: tuple[str, ...] = ("as it is",)


@pytest.fixture(scope="module")
def counts():
    return sets.survey(EVERYTHING, sizes=Sizes(train=400, test=100))


def cells(table):
    """Return the cells of an HTML table, by task."""
    rows = re.findall(r"<tr><td>(.*?)</tr>", table.data.replace("\u00a0", " "))
    split = [re.split(r"</td>(?:<td>)?", row)[:-1] for row in rows]
    return {re.search(r"<strong>(\w+)</strong>", row[0])[1]: row for row in split}


def test_overview_has_every_task_with_its_lengths_and_its_chance():
    table = cells(tables.overview(EVERYTHING))
    assert list(table) == NAMES
    assert table["copy_v3_multi"][1] == "2 to 20<br>21 to 40"
    assert table["scan"][1] == "1 to 25<br>26 to 48"
    assert [table[name][2] for name in ("parity", "lego")] == ["50 %"] * 2
    assert all(len(row[0].split("<br>")[1]) > 5 for row in table.values())


def test_a_task_of_one_s_own_is_told_by_its_docstring():
    own = [Own(name="mine")]
    assert cells(tables.overview(own))["mine"][0].endswith("A list of one&#x27;s own: the same.")
    counts = sets.survey(own, sizes=Sizes(60, 20))
    assert cells(tables.lengths(own, counts))["mine"][0].endswith("<br>")


@pytest.mark.parametrize("length", [1, 5, 30, 1000])
def test_examples_are_of_the_wanted_length_or_the_nearest(length):
    text = tables.examples(EVERYTHING, length, seed=3).data
    found = re.findall(r"\*\*(\w+)\*\*, length (\d+) \((training|test)\)", text)
    assert [name for name, _, _ in found] == NAMES
    for task, (_, shown, kind) in zip(EVERYTHING, found, strict=True):
        there = [*task.training_lengths, *task.test_lengths]
        assert int(shown) in (task.training_lengths if kind == "training" else task.test_lengths)
        assert abs(int(shown) - length) == min(abs(each - length) for each in there)


def test_examples_follow_the_seed():
    one, again, other = (tables.examples(EVERYTHING, 4, seed).data for seed in (0, 0, 1))
    assert one == again
    assert one != other
    with pytest.raises(InvalidValueError, match="example_length"):
        tables.examples(EVERYTHING, 0, 0)


def test_lengths_tell_new_positions_from_old_ones(counts):
    table = cells(tables.lengths(EVERYTHING, counts))
    assert list(table) == NAMES
    primitive = [task.name for task in EVERYTHING if task.group == "primitive"]
    assert {table[name][3] for name in primitive} == {"100 %"}
    assert table["copy_v3_multi"][1] == "7 to 43<br>45 to 83"


def test_repeats_are_shares_of_the_sets(counts):
    table = tables.repeats(counts)
    assert table.loc["copy_v1_repeat", "validation seen"] == "0\u00a0%"
    assert table.loc["addition", "trained on"] == "1\u00a0to\u00a08"
    few = tables.repeats(sets.survey([tasks.build("parity")], sizes=Sizes(20_000, 100)))
    assert few.loc["parity", ["different", "validation seen"]].tolist() == ["496", "100\u00a0%"]


def test_at_the_shortest_lengths_few_prompts_exist():
    few = [tasks.build(name) for name in ("parity", "addition", "summation", "polynomial")]
    table = tables.shortest(few, sets.survey(few, sizes=Sizes(60_000, 100)))
    # 4 bits; two digits; two digits of 1 to 9; seven coefficients, four degrees, five points
    assert table["exist"].tolist() == [str(n) for n in (2**4, 10**2, 9**2, 7 * 4 * 5)]
    assert table["different"].tolist() == table["exist"].tolist()
    drawn = [int(each.replace(",", "")) for each in table["drawn for training"]]
    assert min(drawn) > 800


def test_overhead_is_the_one_counted_in_the_authors_logs(counts):
    table = tables.overhead(counts)
    ours, theirs = table["ours, at length ℓ"], table["T5's, at length ℓ"]
    assert (ours["copy_v3_multi"], theirs["copy_v3_multi"]) == ("2ℓ + 3", "2ℓ + 7")
    assert theirs["reverse_v2_revcopy"] == "3ℓ + 13"
    assert theirs["copy_v2_replace"] == "2ℓ + 10"
    assert theirs["scan"] == "varies"
    assert table.loc["copy_v1_repeat_2x", "T5's, training"] == "13\u00a0to\u00a067"
    assert "parity" not in table.index


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (1, "100 %"), (1e-5, "< 0.1 %"), (0.99999, "> 99.9 %"), (0.213, "21.3 %")],
)
def test_a_little_is_not_nothing(share, text):
    assert tables._percent(share).replace("\u00a0", " ") == text
