"""Finished weights: trained once, kept whole, told apart from others."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from positions import paths
from positions.errors import DamagedFileError, NotAtHandError, PositionsError
from positions.experiments import get, length_generalization
from positions.experiments.attention import weights
from positions.experiments.base import key
from positions.experiments.length_generalization import one_run

LENGTH = get("length_generalization")
TOKENS = torch.tensor([[2, 3, 4, 5, 6]])


@pytest.fixture
def trainings(monkeypatch) -> list:
    """The configs that are trained, in order."""
    seen = []
    train = one_run.train

    def counted(config, *rest):
        seen.append(config)
        return train(config, *rest)

    monkeypatch.setattr(one_run, "train", counted)
    return seen


def test_trained_once_and_the_same_afterwards(config, book, trainings) -> None:
    model = config().model_of()
    first, again = weights.trained(model), weights.trained(model)
    assert len(trainings) == 1
    with torch.no_grad():
        assert torch.equal(first.model(TOKENS), again.model(TOKENS))
    assert (first.iid, first.ood, first.status) == (again.iid, again.ood, "ok")
    assert not first.model.training


def test_solves_what_length_generalization_records(config, book) -> None:
    model = config(steps=60).model_of()
    metrics = length_generalization.run(model).metrics
    found = weights.trained(model)
    assert (found.iid, found.ood) == (metrics["iid_best"], metrics["ood_best"])


def test_other_settings_are_another_model(config, book, trainings) -> None:
    for each in config().beside().values():
        weights.trained(each)
    assert len(trainings) == len(list((book / "_build" / "weights").iterdir())) == 3


def test_who_comes_second_waits_and_finds_the_weights(config, book, trainings) -> None:
    model = config().model_of()
    with ThreadPoolExecutor(1) as pool:
        with weights._alone(_folder(book, model)):
            waiting = pool.submit(weights.trained, model)
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.5)
            assert trainings == []
        first = waiting.result(timeout=60)
    assert weights.trained(model).iid == first.iid
    assert len(trainings) == 1


def _folder(book, model):
    name = key("weights", LENGTH.version, model.canonical())
    return book / "_build" / "weights" / name


def test_damaged_weights_are_trained_again(config, book, trainings) -> None:
    model = config().model_of()
    first = weights.trained(model)
    (path,) = (book / "_build" / "weights").glob("*/*.safetensors")
    path.write_bytes(path.read_bytes()[:-8] + b"\0" * 8)
    assert weights.trained(model).iid == first.iid
    assert len(trainings) == 2


def test_weights_of_another_model_are_refused(config, book) -> None:
    small, large = config().model_of(), config(layers=3).model_of()
    weights.trained(small), weights.trained(large)
    here, there = _folder(book, small), _folder(book, large)
    for path in there.glob("step*"):
        path.unlink()
    for path in here.glob("step*"):
        path.rename(there / path.name)
    with pytest.raises(DamagedFileError, match="Delete that folder"):
        weights.trained(large)


def test_nothing_is_kept_outside_of_a_project(config, tmp_path, monkeypatch) -> None:
    def no_project():
        raise NotAtHandError("No book here.")

    monkeypatch.setattr(paths, "build", no_project)
    monkeypatch.chdir(tmp_path)
    assert weights.trained(config().model_of()).status == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_has_a_clear_message(config, book) -> None:
    (book / "_build").write_text("in the way")
    with pytest.raises(PositionsError, match="Make room or make it writable"):
        weights.trained(config().model_of())


def test_a_training_that_diverges_is_remembered(config, book, trainings) -> None:
    model = config(learning_rate=1e30).model_of()
    for _ in range(2):
        found = weights.trained(model)
        assert (found.status, found.iid, found.ood) == ("diverged", None, None)
    assert len(trainings) == 1
