import pytest

from positions.book import charts as book
from positions.book.pictures.efficiency import charts, tables
from positions.book.pictures.note import Note

ALL = ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"]


@pytest.fixture
def table(records):
    return tables.together(records, ALL)


def panels(spec: dict) -> set[str]:
    (rows,) = spec["datasets"].values()
    return {row["machine"] for row in rows}


def drawn(table):
    yield charts.time_by_length(table, "forward")
    yield charts.time_by_length(table, "training")
    yield charts.time_by_length(table, "generation")
    yield charts.milliseconds(table, "forward")
    yield charts.memory_by_length(table, "forward")
    yield charts.memory_by_length(table, "forward", "fastest")
    yield charts.ways(table)


def test_every_picture_has_words_and_numbers_and_is_light(table) -> None:
    for picture in drawn(table):
        shown = book.figure(picture.chart, description=picture.description, data=picture.numbers)
        assert picture.description in shown["text/plain"]
        assert len(picture.numbers) > 1
        assert len(str(picture.chart.to_dict())) < 150_000
        assert "?" in str(picture.chart.to_dict()["title"])


def test_published_and_ours_stand_side_by_side(table) -> None:
    spec = charts.time_by_length(table, "forward").chart.to_dict()
    assert panels(spec) == {tables.PUBLISHED, "Quick CPU @ 2.00GHz"}
    assert spec["columns"] == 2


def test_each_machine_has_a_panel_of_its_own(records, record) -> None:
    table = tables.together([*records, record(machine="Another")], ALL)
    machines = {tables.PUBLISHED, "Quick CPU @ 2.00GHz", "Another"}
    assert panels(charts.time_by_length(table, "forward").chart.to_dict()) == machines


def test_one_colour_an_encoding(table) -> None:
    spec = charts.time_by_length(table, "forward").chart.to_dict()
    scale = spec["spec"]["layer"][1]["encoding"]["color"]["scale"]
    for name, colour in zip(scale["domain"], scale["range"], strict=True):
        assert colour == book.colour(name)


def test_numbers_are_those_that_were_measured(table) -> None:
    numbers = charts.time_by_length(table, "forward").numbers
    ours = numbers[numbers["machine"] != tables.PUBLISHED].set_index("length")
    assert (ours["nope"] == 1).all()
    assert ours.loc[2001, "t5"] == 1.5
    assert ours.loc[2001, "rotary, whole"] == 1.3


def test_both_ways_are_compared_at_the_greatest_length_that_has_both(records, record) -> None:
    chosen = [each for each in records if each.config["length"] < 2001]
    table = tables.together([*chosen, record(length=2001)], ALL)
    found = charts.longest_both_ways(table)
    assert set(found["length"]) == {101}
    assert set(found["attention"]) == {"written", "fastest"}
    assert tables.PUBLISHED not in set(found["machine"])


def test_what_is_not_there_is_told() -> None:
    published = tables.together([], ALL)
    assert not isinstance(charts.time_by_length(published, "forward"), Note)
    assert isinstance(charts.ways(published), Note)
    assert isinstance(charts.memory_by_length(published, "forward", "fastest"), Note)
    nothing = tables.ours([], ALL)
    for draw in (charts.time_by_length, charts.memory_by_length, charts.milliseconds):
        assert isinstance(draw(nothing, "forward"), Note)


def test_nope_alone_has_its_own_figures_for_an_axis(records) -> None:
    table = tables.together(records, ["nope"])
    time = charts.time_by_length(table, "forward")
    memory = charts.memory_by_length(table, "forward")
    for picture, unit in ((time, "milliseconds"), (memory, "MiB")):
        assert unit.lower() in picture.description.lower()
        assert "multiples" not in picture.description
        book.figure(picture.chart, description=picture.description, data=picture.numbers)
    ours = memory.numbers[memory.numbers["machine"] != tables.PUBLISHED].set_index("length")
    assert ours.loc[2001, "nope"] == 2.0
    assert isinstance(charts.ways(table), Note)


def test_an_encoding_that_the_book_does_not_know_is_drawn_behind_the_others(record) -> None:
    ratios = {"alibi bidirectional=true": 1.4, "nope": 1.0, "rotary fraction=0.25": 1.2}
    table = tables.ours([record(ratios=ratios)], ALL)
    numbers = charts.time_by_length(table, "forward").numbers
    assert list(numbers)[2:] == ["nope", "rotary", "alibi bidirectional=true"]
