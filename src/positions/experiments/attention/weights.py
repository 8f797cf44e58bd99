"""Trained models, each trained once: finished weights wait in the project's `_build`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from positions import paths
from positions.errors import DamagedFileError, NotAtHandError, PositionsError
from positions.experiments.base import Status, key
from positions.experiments.length_generalization import LengthConfig, measure, one_run
from positions.experiments.length_generalization import config as length
from positions.experiments.scratchpad import ScratchpadConfig
from positions.experiments.scratchpad import config as scratchpad
from positions.model import LanguageModel
from positions.training import Checkpoints, seeded
from positions.training.checkpoint import Checkpoint
from positions.training.device import pick_device

SAVED_EVERY = 60.0
"""Seconds between the checkpoints of a model that is being trained."""


@dataclass(frozen=True)
class Trained:
    """A model with its best weights, in evaluation mode, and what it solves.

    `iid` within and `ood` beyond its training lengths: the share of texts that it would write
    exactly, steps included. None where the training diverged.
    """

    model: LanguageModel
    status: Status
    iid: float | None
    ood: float | None


def trained(config: LengthConfig) -> Trained:
    """Return the model of a run of the experiment it belongs to, trained if it never was before.

    Two processes that want the same model train it once: the second waits. A training that is
    interrupted goes on from its checkpoint. Outside of a project nothing is kept. Raises as
    `length_generalization.run`, and `DamagedFileError` for weights of another model.
    """
    version = scratchpad.VERSION if isinstance(config, ScratchpadConfig) else length.VERSION
    name = key("weights", version, config.canonical())
    try:
        folder = paths.build()
    except NotAtHandError:
        return _read(config, _train(config, None))
    kept = Checkpoints(folder / "weights" / name)
    with _alone(kept.folder):
        found = kept.load()
        if found is None:
            under_way = Checkpoints(folder / "checkpoints" / "attention" / name, name, SAVED_EVERY)
            found = _train(config, under_way)
            kept.save(found)
            under_way.clear()
    return _read(config, found, kept.folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder, after waiting for whoever holds it."""
    lock = FileLock(folder / "lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except OSError as error:
        raise PositionsError(
            f"Could not make the folder {folder} for trained weights: {error.strerror}. Make room "
            "or make it writable, then start the run again."
        ) from error
    with lock:
        lock.release()  # `acquire` counts, and the block has acquired it again
        yield


def _train(config: LengthConfig, checkpoints: Checkpoints | None) -> Checkpoint:
    """Train a model and return its best weights and what they solve."""
    setup = one_run.set_up(config)
    fitted = one_run.train(config, setup, checkpoints)
    weights = fitted.last_state if fitted.best_state is None else fitted.best_state
    setup.model.load_state_dict(weights)
    facts: dict[str, Any] = {
        "status": fitted.status,
        "vocabulary": len(setup.tokenizer),
        "longest": setup.model.config.max_length,
        "iid": None,
        "ood": None,
    }
    if fitted.status == "ok":
        facts["iid"] = measure.share(measure.solved(setup.model, setup.validation))
        facts["ood"] = measure.share(measure.solved(setup.model, setup.test))
    return Checkpoint(fitted.best_step or fitted.step, _untied(weights), facts)


def _untied(weights: dict[str, Any]) -> dict[str, Any]:
    """Copy what stands under several names: safetensors holds each tensor once."""
    return {name: value.detach().cpu().clone() for name, value in weights.items()}


def _read(config: LengthConfig, kept: Checkpoint, folder: Path | None = None) -> Trained:
    """Build the model and give it the weights."""
    facts = kept.facts
    with seeded(config.seed, "first weights"):
        shape = config.model(facts["vocabulary"], facts["longest"])
        model = LanguageModel(shape, config.spec())
    try:
        model.load_state_dict(kept.tensors)
    except RuntimeError as error:
        raise DamagedFileError(
            f"The weights in {folder} do not fit their model ({str(error).splitlines()[-1]}). "
            "Delete that folder: the model is then trained again."
        ) from None
    model.to(pick_device("auto")).eval()
    return Trained(model, facts["status"], facts["iid"], facts["ood"])
