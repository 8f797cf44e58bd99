import numpy as np
import pytest

from positions.book import charts
from positions.book.pictures import theory as pictures
from positions.book.pictures.note import Note
from positions.errors import InvalidValueError
from positions.experiments.construction import EXPERIMENT
from positions.runs import execute

LIVE = {
    "errors": {"longest": 64, "step": 32},
    "outside": {"longest": 16},
    "added_to_logits": {"longest": 24},
    "in_waves": {"longest": 32, "draws": 2},
    "drawing_together": {"length": 128},
}
RECORDED = ["worst_by_length", "by_norm"]


@pytest.fixture(scope="module")
def records():
    return [execute(EXPERIMENT, config, "smoke") for config in EXPERIMENT.configs("smoke")]


@pytest.fixture(scope="module", params=[*LIVE, *RECORDED])
def picture(request, records):
    make = getattr(pictures, request.param)
    return make(records) if request.param in RECORDED else make(**LIVE[request.param])


def test_picture_can_be_shown_with_words_and_numbers(picture):
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert picture.description in shown["text/plain"]
    assert len(picture.numbers) > 1
    assert np.isfinite(picture.numbers.select_dtypes("number")).all(axis=None)


@pytest.mark.parametrize("name", RECORDED)
def test_nothing_recorded_is_no_chart(name):
    note = getattr(pictures, name)([])
    assert isinstance(note, Note)
    assert "is recorded" in note.text


def test_descriptions_say_what_was_measured(records):
    chosen = [
        each
        for each in records
        if each.config["theorem"] == "absolute"
        and each.config["norm"] == "none"
        and each.config["shortest"] == each.config["longest"] == 16
        and each.config["precision"] == "float64"
        and each.config["facing"] == "rising"
    ]
    (record,) = chosen
    said = pictures.worst_by_length(chosen).description
    assert said.endswith(f"At N = 16: float64 {record.metrics['error']:.0e}.")
    assert "rise" not in said


def test_names_in_expressions_are_none_that_vega_refuses(picture):
    """A field named "function" is taken for the keyword, and nothing is drawn."""
    assert ".function" not in str(picture.chart.to_dict())


def test_page_stays_light():
    assert len(str(pictures.errors().chart.to_dict())) < 150_000


def test_errors_unfold_to_their_positions():
    frame = pictures.errors(longest=64, step=32).numbers
    assert frame["position"].is_unique
    assert (frame["position"].iloc[0], frame["position"].iloc[-1]) == (1, 64)
    assert frame["error"].between(pictures.LEAST, 1e-9).all()
    rows = pictures.errors(longest=64, step=32).chart.data
    assert set(rows["N"]) == {32, 64}
    worst = (
        rows.assign(worst=rows["error"].map(max)).groupby(["precision", "hinges"])["worst"].max()
    )
    assert worst["bfloat16", "rising"] > 0.05 > 1e-3 > worst["float32", "rising"] > 1e-6


def test_outside_its_conditions_the_reading_is_wrong():
    frame = pictures.outside(longest=16).numbers
    wide = frame.pivot_table(index="position", columns="text", values="read")
    marked, none, again = (next(c for c in wide if word in c) for word in ("first", "no", "again"))
    np.testing.assert_allclose(wide[marked], np.minimum(wide.index, 16))
    np.testing.assert_allclose(wide[none], 16)
    assert wide[again][8] == 8
    assert wide[again][10] == 5


def test_marks_lie_on_the_lines_of_alibi():
    frame = pictures.added_to_logits(longest=24).numbers
    np.testing.assert_allclose(frame["constructed"], frame["ALiBi"], atol=1e-6)
    assert set(frame["head"]) == {"head 1", "head 2", "head 3", "head 4"}


def test_as_many_entries_as_distances_meet_any_function():
    frame = pictures.in_waves(longest=32, draws=2).numbers
    last = frame[(frame["entries"] == 32) & (frame["period"] == "32 tokens")]
    assert last["error"].max() < 1e-3
    first = frame[frame["entries"] == 1]
    assert first["error"].min() > 0.5


def test_smooth_functions_are_cheap_and_the_floor_is_a_floor():
    frame = pictures.entries_needed(longest=64).set_index("function")
    assert frame.loc["line", "at least"] == 2
    assert frame.loc["any numbers", "at least"] > 20
    assert (frame["in waves"] >= frame["at least"]).all()


def test_only_absolute_positions_tell_equal_words_apart():
    frame = pictures.alike(["nope", "rotary", "sinusoidal"], length=20).set_index("encoding")
    assert (frame.loc[["nope", "rotary"], "one word only"] < 1e-12).all()
    assert frame.loc["sinusoidal", "one word only"] > 0.1
    assert (frame["marked first"] > 0.1).all()


def test_a_length_below_one_is_refused():
    with pytest.raises(InvalidValueError, match="longest is 0"):
        pictures.outside(0)
