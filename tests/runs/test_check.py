from pathlib import Path

import pytest

from positions.errors import InvalidValueError, PositionsError
from positions.experiments.base import Config, Experiment, Outcome, key
from positions.runs import Store, rerun, run_missing, verify


class Settings(Config):
    seed: int = 0


def run(config):
    return Outcome(metrics={"tenth": config.seed / 10, "undefined": None})


def drifted(config):
    return Outcome(metrics={"tenth": config.seed / 10 + 0.5, "undefined": 1.0})


def some():
    return [Settings(seed=seed) for seed in range(6)]


def no_even(config):
    return None if config.seed % 2 else "even seeds are elsewhere"


def toy(function=run, **kind):
    return Experiment("toy", 1, "Toy", Settings, function, {"smoke": some}, **kind)


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path)
    run_missing(toy(), some(), store, "smoke", jobs=0, progress=False)
    return store


@pytest.fixture
def _known(monkeypatch):
    from positions import experiments

    monkeypatch.setattr(experiments, "get", lambda name: toy())


@pytest.mark.usefixtures("_known")
def test_verify_counts_a_sound_store(store):
    found = verify(store)
    assert (found.files, found.records, found.stale, found.problems) == (1, 6, 0, [])


@pytest.mark.usefixtures("_known")
def test_verify_names_every_damaged_file_and_goes_on(store):
    path = store.path("toy", "smoke")
    for preset in ("first", "second"):
        path.with_stem(preset).write_bytes(path.read_bytes())  # records of another preset
    found = verify(store)
    assert (found.files, found.records) == (3, 6)
    assert [Path(problem.split(",")[0]).stem for problem in found.problems] == ["first", "second"]


def write(store, **changes):
    """Change the first record, with a key that fits, and return it with the number of its line."""
    first = store.read("toy", "smoke")[0].model_copy(update=changes)
    changed = first.model_copy(update={"key": key("toy", first.version, first.config)})
    store.path("toy", "smoke").unlink()
    store.extend([changed, *toy_records(store)])
    return changed, store.read("toy", "smoke").index(changed) + 1


def toy_records(store):
    other = Store(store.folder / "other")
    run_missing(toy(), some()[1:], other, "smoke", jobs=0, progress=False)
    return other.read("toy", "smoke")


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"metrics": {}}, "status 'ok' and no metric with a number"),
        ({"metrics": {"tenth": None}}, "status 'ok' and no metric with a number"),
        ({"config": {"seed": 0, "speed": 1}}, "unknown setting 'speed'. Did you mean 'seed'"),
        ({"config": {"seed": "none"}}, "seed = 'none'"),
        ({"config": {}}, "would be written otherwise today: seed"),
    ],
)
def test_verify_names_each_record_that_cannot_be_used(store, changes, said):
    changed, line = write(store, **changes)
    (problem,) = verify(store).problems
    assert f"{store.path('toy', 'smoke')}, line {line}, key {changed.key}: " in problem
    assert said in problem


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize(
    "changes", [{"metrics": {}, "status": "diverged"}, {"version": 0, "config": {"old": 1}}]
)
def test_verify_leaves_diverged_and_older_records_alone(store, changes):
    write(store, **changes)
    assert verify(store).problems == []


def test_rerun_names_the_record_that_cannot_be_read(store):
    changed, _ = write(store, config={"speed": 1})
    with pytest.raises(InvalidValueError, match=rf"Record {changed.key} .*unknown setting 'speed'"):
        rerun(toy(), store, "smoke", jobs=0)


def test_verify_tells_of_records_of_an_unknown_experiment(store):
    (problem,) = verify(store).problems
    assert "Unknown experiment 'toy'" in problem


def test_rerun_of_the_same_code_finds_no_difference(store):
    table = rerun(toy(), store, "smoke", sample=4, jobs=0)
    assert table.key.nunique() == 4
    assert (table[table.metric == "tenth"].difference == 0).all()
    assert table[table.metric == "undefined"].difference.isna().all()


def test_rerun_of_changed_code_tells_by_how_much(store):
    table = rerun(toy(drifted), store, "smoke", sample=2, jobs=0)
    assert table[table.metric == "tenth"].difference.tolist() == pytest.approx([0.5, 0.5])


def test_rerun_draws_only_what_can_run_here(store):
    table = rerun(toy(requires=no_even), store, "smoke", sample=6, jobs=0)
    assert sorted(set(table.seed)) == [1, 3, 5]


def test_rerun_writes_nothing(store):
    before = store.path("toy", "smoke").read_bytes()
    rerun(toy(drifted), store, "smoke", jobs=0)
    assert store.path("toy", "smoke").read_bytes() == before


@pytest.mark.parametrize("sample", [0, -2])
def test_empty_sample_is_refused(store, sample):
    with pytest.raises(InvalidValueError, match=f"sample = {sample}"):
        rerun(toy(), store, "smoke", sample=sample)


def test_rerun_that_fails_says_which(store):
    def fail(config):
        raise RuntimeError("no luck")

    with pytest.raises(PositionsError, match=r"Run [0-9a-f]{20} failed: RuntimeError: no luck"):
        rerun(toy(fail), store, "smoke", jobs=0)
