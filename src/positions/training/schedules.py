"""How the learning rate goes up, and comes down again."""

from __future__ import annotations

import math

from positions.training.plan import TrainingPlan


def learning_rate(plan: TrainingPlan, step: int) -> float:
    """Return the learning rate of the update after `step` finished ones (0 for the first).

    All schedules rise linearly from 0 over the warm-up of w steps; then, of T steps in all,

    - linear: peak to final in a straight line (Kazemnejad et al. 2023, appendix D; with
      final 1e-7 it is their "polynomial" schedule of power 1);
    - cosine: peak to final along half a cosine;
    - inverse-square-root: peak · √(w / step) (Vaswani et al. 2017, section 5.3, and the
      translation runs of Wang & Chen 2020);
    - constant: peak.
    """
    peak, warmup = plan.learning_rate, plan.warmup_steps
    if step < warmup:
        return peak * step / warmup
    if plan.schedule == "constant":
        return peak
    if plan.schedule == "inverse-square-root":
        return peak * math.sqrt(warmup / step)
    gone = min(1.0, (step - warmup) / max(1, plan.steps - warmup))
    left = 1 - gone if plan.schedule == "linear" else (1 + math.cos(math.pi * gone)) / 2
    return plan.final_learning_rate + (peak - plan.final_learning_rate) * left
