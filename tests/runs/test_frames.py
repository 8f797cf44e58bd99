import numpy as np
import pytest

from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.base import Config, Experiment, Outcome
from positions.runs import execute, frame, provenance_frame, series_frame, summary


class Settings(Config):
    seed: int = 0
    lengths: tuple[int, ...] = (4, 8)


def run(config):
    return Outcome(
        metrics={"accuracy": config.seed / 4, "loss": None},
        series={"by_length": [0.5, config.seed], "length": [4, 8], "short": [1]},
    )


TOY = Experiment("toy", 1, "Toy", Settings, run, {})


@pytest.fixture
def records():
    return [execute(TOY, Settings(seed=seed), "smoke") for seed in range(3)]


def test_frame_has_a_row_a_record_and_a_column_a_setting_and_metric(records):
    table = frame(records)
    assert set(table.columns) == {"seed", "lengths", "accuracy", "loss", "status"}
    assert list(table.index) == [record.key for record in records]
    assert table.groupby("lengths").accuracy.mean().item() == 0.25
    assert np.isnan(table.loss).all()


def test_series_frame_is_long_and_keeps_the_config(records):
    table = series_frame(records, "by_length", at="length")
    assert len(table) == 6
    assert table[(table.seed == 2) & (table.length == 8)].by_length.item() == 2
    counted = series_frame(records, "by_length")
    assert list(counted["index"]) == [0, 1] * 3


def test_unknown_series_lists_the_valid_ones(records):
    with pytest.raises(UnknownNameError, match="by_length, length, short"):
        series_frame(records, "by_len")


def test_series_of_two_lengths_do_not_fit(records):
    with pytest.raises(InvalidValueError, match="'short' has 1 entries, 'by_length' has 2"):
        series_frame(records, "by_length", at="short")


def test_no_records_make_empty_frames():
    assert frame([]).empty
    assert series_frame([], "anything").empty
    assert summary([]) == "No recorded runs."


def test_setting_and_metric_of_one_name_are_refused(records):
    twice = records[0].model_copy(update={"metrics": {"seed": 1.0}})
    with pytest.raises(InvalidValueError, match="seed names both"):
        frame([twice])


def test_summary_states_preset_hardware_and_code(records):
    note = records[0].provenance
    text = summary(records)
    assert "3 recorded runs, preset smoke" in text
    assert note.device in text
    assert note.started[:10] in text
    table = provenance_frame(records)
    assert set(table.device) == {note.device}
    assert table.seconds.sum() >= 0
