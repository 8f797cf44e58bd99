"""Learning rates and weight decays beside the usual ones."""

from __future__ import annotations

from collections import Counter

import pytest

from positions.experiments import hyperparameters, length_generalization
from positions.runs import execute

PRESETS = sorted(hyperparameters.EXPERIMENT.presets)


@pytest.mark.parametrize("preset", PRESETS)
def test_one_setting_is_changed_at_a_time(preset):
    """Each run differs from one of `length_generalization` in the learning rate or the decay."""
    usual = {
        (each.task, each.encoding, each.encoding_options, each.seed): each.canonical()
        for each in length_generalization.EXPERIMENT.configs(preset)
    }
    changed = Counter()
    for each in hyperparameters.EXPERIMENT.configs(preset):
        other = usual[each.task, each.encoding, each.encoding_options, each.seed]
        changed[
            tuple(name for name, value in each.canonical().items() if value != other[name])
        ] += 1
    runs = changed[()]
    assert runs > 0
    assert changed == {(): runs, ("learning_rate",): 2 * runs, ("weight_decay",): 2 * runs}


def test_paper_preset_tries_the_papers_values():
    """Appendix D.2: learning rates of 1e-5, 3e-5 and 5e-5, weight decays of 0, 0.05 and 0.1."""
    configs = hyperparameters.EXPERIMENT.configs("paper")
    assert {round(each.learning_rate, 10) for each in configs} == {1e-5, 3e-5, 5e-5}
    assert {each.weight_decay for each in configs} == {0.0, 0.05, 0.1}


def test_a_smoke_run_makes_a_record():
    """It is recorded under this experiment's name, with the metrics of `length_generalization`."""
    config = hyperparameters.EXPERIMENT.configs("smoke")[0]
    record = execute(hyperparameters.EXPERIMENT, config, "smoke")
    assert record.experiment == "hyperparameters"
    assert record.metrics["iid_last"] is not None
