"""The whole state of a run between two steps, and its form in a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import torch
from torch import Tensor, nn

from positions.errors import InvalidValueError
from positions.training.checkpoint import Checkpoint

Weights = dict[str, Tensor]


@dataclass
class RunState:
    """How far a run is, beside its model and its optimizer.

    `losses`: of the steps since the last evaluation. `series`: one value per evaluation. `best`:
    the weights after step `best_step`, the earliest with the highest score so far.
    """

    step: int = 0
    tokens: int = 0
    training_seconds: float = 0.0
    evaluation_seconds: float = 0.0
    best_step: int | None = None
    best_score: float | None = None
    series: dict[str, list[float | None]] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)
    best: Weights | None = None


_FACTS = [item.name for item in fields(RunState) if item.name not in ("losses", "best")]


def snapshot(model: nn.Module) -> Weights:
    """Copy the model's weights to the CPU; tied ones stay one tensor under several names."""
    state = model.state_dict()
    copies: Weights = {}
    for name, first in _first_names(state).items():
        if name == first:
            copies[name] = state[name].detach().to("cpu", copy=True)
        else:
            copies[name] = copies[first]
    return copies


def pack(
    state: RunState, model: nn.Module, optimizer: torch.optim.Optimizer, identity: Mapping[str, Any]
) -> Checkpoint:
    """Put everything that a resumed run needs into a checkpoint. `identity` says which run it is.

    No generator's state is needed: see `randomness`.
    """
    weights = model.state_dict()
    firsts = {name for name, first in _first_names(weights).items() if name == first}
    tensors = {f"model.{name}": weights[name] for name in firsts}
    for name, parameter in model.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{key}.{name}"] = value
    if state.best is not None:
        tensors |= {f"best.{name}": state.best[name] for name in firsts}
    tensors["losses"] = torch.tensor(state.losses, dtype=torch.float64)
    facts = {name: getattr(state, name) for name in _FACTS} | {"identity": dict(identity)}
    ready = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    return Checkpoint(state.step, ready, facts)


def unpack(checkpoint: Checkpoint, model: nn.Module, optimizer: torch.optim.Optimizer) -> RunState:
    """Set model and optimizer back to a checkpoint; returns the rest of the state.

    Raises `InvalidValueError` where the checkpoint's weights are not those of this model.
    """
    tensors, weights = checkpoint.tensors, model.state_dict()
    firsts = _first_names(weights)
    _check_same_weights(tensors, {name: weights[name] for name in firsts.values()})
    with torch.no_grad():
        for name in set(firsts.values()):
            weights[name].copy_(tensors[f"model.{name}"])
    for name, parameter in model.named_parameters():
        ending = f".{name}"
        kept = {
            key.removeprefix("optimizer.").removesuffix(ending): value.to(parameter.device)
            for key, value in tensors.items()
            if key.startswith("optimizer.") and key.split(".", 2)[2] == name
        }
        if kept:
            optimizer.state[parameter] = kept
    state = RunState(**{name: checkpoint.facts[name] for name in _FACTS})
    state.losses = tensors["losses"].tolist()
    if state.best_step is not None:
        state.best = {name: tensors[f"best.{first}"] for name, first in firsts.items()}
    return state


def _first_names(weights: Mapping[str, Tensor]) -> dict[str, str]:
    """Map every name to the first name of the same tensor: itself, unless weights are tied."""
    seen: dict[tuple[Any, ...], str] = {}
    firsts = {}
    for name, value in weights.items():
        place = (value.data_ptr(), value.dtype, value.shape, value.stride(), value.device)
        firsts[name] = seen.setdefault(place, name) if value.numel() else name
    return firsts


def _check_same_weights(tensors: Mapping[str, Tensor], weights: Mapping[str, Tensor]) -> None:
    there = {
        name.removeprefix("model."): tuple(value.shape)
        for name, value in tensors.items()
        if name.startswith("model.")
    }
    here = {name: tuple(value.shape) for name, value in weights.items()}
    differing = sorted(
        name for name in there.keys() | here.keys() if there.get(name) != here.get(name)
    )
    if differing:
        name = differing[0]
        raise InvalidValueError(
            f"The checkpoint is of another model: {name} has shape {there.get(name, 'none')} "
            f"there and {here.get(name, 'none')} here ({len(differing)} such weights). Use "
            "another folder, or delete this one."
        )
