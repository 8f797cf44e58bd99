import json
import multiprocessing
import resource
import subprocess
from pathlib import Path

import pytest

from positions.errors import DamagedFileError, InvalidValueError, UnknownNameError
from positions.experiments.base import Config, Experiment, Outcome
from positions.runs import NotWrittenError, Store, execute


class Settings(Config):
    seed: int = 0
    lengths: tuple[int, ...] = (1, 2)


def run(config):
    size = 3000 if config.seed == -1 else 3
    return Outcome(
        metrics={"half": config.seed / 2, "undefined": float("nan")},
        series={"steps": [1.5, float("inf")] * size},
    )


def seldom():
    return [Settings()]


def experiment(version=1, name="toy"):
    return Experiment(name, version, "Toy", Settings, run, {"smoke": seldom, "laptop": seldom})


def record(seed, preset="smoke", **kind):
    return execute(experiment(**kind), Settings(seed=seed), preset)


@pytest.fixture(autouse=True)
def _rescued_here(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "results")
    store.extend(record(seed) for seed in range(5))
    return store


@pytest.fixture
def path(store):
    return store.path("toy", "smoke")


def test_records_come_back_equal_and_sorted(store):
    written = {item.key: item for item in (record(seed) for seed in range(5))}
    read = store.load(experiment(), "smoke")
    assert [item.key for item in read] == sorted(written)
    for item in read:
        assert item.config == written[item.key].config
        assert item.metrics == written[item.key].metrics
        assert Settings(**item.config).lengths == (1, 2)


def test_numbers_that_are_not_finite_are_null(store, path):
    assert "NaN" not in path.read_text()
    assert "Infinity" not in path.read_text()
    item = store.read("toy", "smoke")[0]
    assert item.metrics["undefined"] is None
    assert item.series["steps"][:2] == [1.5, None]


def test_file_does_not_depend_on_the_order_of_writing(store, path, tmp_path):
    records = store.read("toy", "smoke")
    other = Store(tmp_path / "other")
    for item in [records[i] for i in (3, 0, 4, 2, 1)]:
        assert other.add(item)
    assert other.path("toy", "smoke").read_bytes() == path.read_bytes()


def test_plain_sort_agrees_with_the_order_of_the_file(path):
    done = subprocess.run(
        ["sort", path],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
    )
    assert done.stdout == path.read_bytes()


def test_second_record_of_a_key_changes_nothing(store, path):
    before = path.read_bytes()
    assert store.add(record(3)) is False
    assert path.read_bytes() == before


def test_nothing_recorded_is_no_error(store):
    assert store.load(experiment(), "laptop") == []
    assert Store(store.folder / "absent").files() == []


def test_stale_records_are_kept_but_not_current(store):
    store.add(record(0, version=2))
    assert len(store.read("toy", "smoke")) == 6
    assert [item.version for item in store.load(experiment(version=2), "smoke")] == [2]
    assert len(store.load(experiment(version=1), "smoke")) == 5


def test_unknown_names_are_refused(store):
    with pytest.raises(UnknownNameError, match="laptop, smoke"):
        store.load(experiment(), "big")
    with pytest.raises(UnknownNameError, match="experiment"):
        store.load("toy", "smoke")
    with pytest.raises(InvalidValueError, match="letters, digits"):
        store.path("../../etc", "smoke")


def change(line, **values):
    return json.dumps({**json.loads(line), **values}, separators=(",", ":"))


DAMAGES = {
    "cut off": (lambda lines: [*lines[:-1], lines[-1][:40]], 5, "is cut off"),
    "half a line": (lambda lines: [lines[0], lines[1][:90], *lines[2:], ""], 2, "is no JSON"),
    "empty line": (lambda lines: [lines[0], "", *lines[1:], ""], 2, "does not start"),
    "conflict": (lambda lines: [lines[0], "<<<<<<< HEAD", *lines[1:], ""], 2, "conflict"),
    "repeated": (lambda lines: [lines[0], lines[0], *lines[1:], ""], 2, "repeats key"),
    "out of order": (lambda lines: [lines[1], lines[0], *lines[2:], ""], 2, "LC_ALL=C sort"),
    "wrong type": (
        lambda lines: [*lines[:3], change(lines[3], version="1"), lines[4], ""],
        4,
        "version = '1'",
    ),
    "metric of a wrong type": (
        lambda lines: [*lines[:3], change(lines[3], metrics={"half": "0.5"}), lines[4], ""],
        4,
        "metrics.half = '0.5'",
    ),
    "lacks a field": (
        lambda lines: [lines[0].replace('"status":"ok",', ""), *lines[1:], ""],
        1,
        "'status' is missing",
    ),
    "has a field too many": (
        lambda lines: [lines[0].replace('"status"', '"extra":1,"status"'), *lines[1:], ""],
        1,
        "unknown setting 'extra'",
    ),
    "NaN": (lambda lines: [lines[0].replace("null", "NaN", 1), *lines[1:], ""], 1, "NaN is no"),
    "config changed": (
        lambda lines: [*lines[:2], change(lines[2], config={"seed": 77}), *lines[3:], ""],
        3,
        "does not fit",
    ),
    "not text": (lambda lines: [lines[0][:-4] + "\udcff" + '"}}', *lines[1:], ""], 1, "is no JSON"),
    "misplaced": (
        lambda lines: [change(lines[0], preset="laptop"), *lines[1:], ""],
        1,
        "Move it to toy/laptop.jsonl",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_named_with_file_and_line_and_left_as_it_is(store, path, damage):
    spoil, number, words = DAMAGES[damage]
    lines = path.read_text().splitlines()
    path.write_bytes("\n".join(spoil(lines)).encode(errors="surrogateescape"))
    before = path.read_bytes()
    with pytest.raises(DamagedFileError) as caught:
        store.read("toy", "smoke")
    message = str(caught.value)
    assert f"{path}, line {number} " in message
    assert words in message
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["cut off", "repeated", "out of order", "conflict"])
def test_adding_to_a_damaged_file_loses_neither_file_nor_record(store, path, damage):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(DAMAGES[damage][0](lines)))
    before = path.read_bytes()
    with pytest.raises(DamagedFileError, match="The new records are not lost") as caught:
        store.add(record(99))
    assert path.read_bytes() == before
    assert rescued(caught.value).read("toy", "smoke")[0].config["seed"] == 99


def rescued(error):
    return Store(str(error).split("positions results merge ")[1].split("`")[0])


def test_full_disk_loses_nothing(store, path):
    store.extend([record(-1)])
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        with pytest.raises(NotWrittenError, match="too large") as caught:
            store.add(record(8))
        with pytest.raises(NotWrittenError):
            store.add(record(9))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir() if "tmp" in item.name] == []
    merged = store.merge(rescued(caught.value))
    assert (merged.added, merged.already) == (2, 0)
    assert {item.config["seed"] for item in store.read("toy", "smoke")} == {-1, *range(5), 8, 9}


def test_no_room_anywhere_still_shows_the_record(store, path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(path))  # a file: no folder can be made there
    path.with_name(f".{path.name}.lock").unlink(missing_ok=True)
    path.with_name(f".{path.name}.lock").mkdir()  # and no lock can be had
    item = record(8)
    with pytest.raises(NotWrittenError) as caught:
        store.add(item)
    assert item.line() in str(caught.value)


def add_many(folder, seeds):
    store = Store(folder)
    for seed in seeds:
        store.add(record(seed))


def test_writers_in_several_processes_lose_nothing(tmp_path):
    context = multiprocessing.get_context("fork")
    parts = [range(20), range(10, 30), range(20, 40)]
    writers = [context.Process(target=add_many, args=(tmp_path, part)) for part in parts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    found = [item.config["seed"] for item in Store(tmp_path).read("toy", "smoke")]
    assert sorted(found) == list(range(40))


def test_merge_takes_what_is_missing_and_tells_what_differs(store, tmp_path):
    other = Store(tmp_path / "other")
    theirs = record(1)
    other.add(theirs.model_copy(update={"metrics": {"half": 3.0}}))
    other.extend([record(2), record(7), record(7, preset="laptop"), record(0, version=2)])
    ours = {item.key: item for item in store.read("toy", "smoke")}
    merged = store.merge(other.folder)
    assert (merged.added, merged.already) == (3, 2)
    assert merged.differing == [theirs.key]
    assert {item.key for item in store.read("toy", "laptop")} == {record(7).key}
    after = {item.key: item for item in store.read("toy", "smoke")}
    assert ours.items() <= after.items()
    again = store.merge(other)
    assert (again.added, again.already) == (0, 5)


def test_a_store_merged_into_itself_is_not_written_to(store, path):
    path.with_name(f".{path.name}.lock").unlink(missing_ok=True)
    path.with_name(f".{path.name}.lock").mkdir()  # so that no lock can be had, as where read-only
    merged = store.merge(store.folder)
    assert (merged.added, merged.already, merged.differing) == (0, 5, [])


def test_merge_with_a_damaged_store_changes_nothing(store, path, tmp_path):
    other = Store(tmp_path / "other")
    other.extend([record(7), record(7, preset="laptop")])
    with other.path("toy", "smoke").open("a") as file:
        file.write('{"key":"')
    before = path.read_bytes()
    with pytest.raises(DamagedFileError, match=r"other.*line 2"):
        store.merge(other)
    assert path.read_bytes() == before
    assert store.files() == [("toy", "smoke")]


def test_merge_with_a_folder_without_records_says_so(store, tmp_path):
    with pytest.raises(InvalidValueError, match="holds no records"):
        store.merge(tmp_path / "nowhere")


def test_what_a_killed_writer_left_is_swept_away(store, path):
    left = path.with_name(f".{path.name}.4711.tmp")
    left.write_text("half a rec")
    store.add(record(8))
    assert not left.exists()


def test_crash_while_writing_leaves_the_old_file(store, path, monkeypatch):
    before = path.read_bytes()

    def crash(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        store.add(record(8))
    assert path.read_bytes() == before
