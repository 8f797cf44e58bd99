"""AdamW, and which parameters it decays."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from positions.errors import InvalidValueError
from positions.training.plan import TrainingPlan


def parameter_groups(model: nn.Module, plan: TrainingPlan) -> list[dict[str, Any]]:
    """Split the trainable parameters into those that weight decay shrinks and those it spares.

    Spared are the parameters whose names contain one of `plan.decay_exempt`. The default spares
    biases and the gains of norms, as is usual; ("bias",) is what Kazemnejad et al. (2023) ran.
    Frozen parameters are in neither group. Raises `InvalidValueError` if nothing is trainable.
    """
    decayed: list[nn.Parameter] = []
    spared: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            exempt = any(part in name for part in plan.decay_exempt)
            (spared if exempt else decayed).append(parameter)
    groups: list[dict[str, Any]] = [
        {"params": decayed, "weight_decay": plan.weight_decay},
        {"params": spared, "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    if not groups:
        raise InvalidValueError(
            "The model has no trainable parameter. Set requires_grad on those to be trained."
        )
    return groups


def build_optimizer(model: nn.Module, plan: TrainingPlan) -> torch.optim.AdamW:
    """Return AdamW for the model's trainable parameters, in the one-kernel form.

    Loshchilov & Hutter (2019). With weight decay 0 it is Adam. The learning rate is set before
    every step, from `schedules.learning_rate`.
    """
    return torch.optim.AdamW(
        parameter_groups(model, plan),
        lr=plan.learning_rate,
        betas=plan.betas,
        eps=plan.eps,
        fused=True,
    )
