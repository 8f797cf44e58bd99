"""Times of presets, added up from made-up records."""

import pytest

from made_up import provenance
from positions import experiments
from positions.book.pictures import expected
from positions.errors import DamagedFileError
from positions.runs import Record

PROBING = experiments.get("probing")


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(experiments, "names", lambda: ["hidden_states", "probing"])


def record(config, seconds):
    return Record(
        key=PROBING.key(config),
        experiment="probing",
        version=PROBING.version,
        preset="smoke",
        config=config.canonical(),
        metrics={},
        series={},
        status="ok",
        provenance=provenance(seconds=seconds, device="a made-up machine"),
    )


def test_time_is_that_of_the_runs_that_are_there(store):
    configs = PROBING.configs("smoke")
    for config, seconds in zip(configs, (60.0, 180.0), strict=False):
        store.add(record(config, seconds))
    row = expected.table(store, "smoke").set_index("experiment").loc["probing"]
    assert (row["runs"], row["recorded"]) == (len(configs), 2)
    assert row["took"] == "4 min 0 s"
    assert row["all"] == expected.duration(120 * len(configs))
    assert row["machine"] == "a made-up machine"


def test_what_nobody_recorded_has_no_time(store):
    row = expected.table(store, "smoke").set_index("experiment").loc["probing"]
    assert row["recorded"] == 0
    assert row["took"] == row["all"] == row["machine"] == expected.NOTHING


def test_an_experiment_without_the_preset_has_no_row(store):
    assert list(expected.table(store, "paper")["experiment"]) == ["probing"]


def test_a_damaged_file_is_named(store):
    path = store.folder / "probing" / "smoke.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    with pytest.raises(DamagedFileError, match=r"smoke\.jsonl"):
        expected.table(store, "smoke")
