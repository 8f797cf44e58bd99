"""What is refused before recorded runs are read."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from positions.errors import InvalidValueError
from positions.experiments._recorded import no_two_alike


def run(**settings):
    return SimpleNamespace(config=settings, metrics={}, series={})


def seed(settings):
    return {"seed": settings["seed"]}


def test_runs_of_different_names_pass_as_they_are():
    runs = [run(seed=0, steps=5), run(seed=1, steps=9)]
    assert no_two_alike(runs, seed) == runs


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"steps": 9}, r"differ in steps \(5 / 9\)\. Take"),
        ({"steps": 5}, r"Their settings are the same\. Take"),
        ({"steps": 5, "added": 1}, r"differ in added \(None / 1\)\. Take"),
    ],
)
def test_two_runs_of_one_name_are_refused_with_what_tells_them_apart(other, why):
    with pytest.raises(InvalidValueError, match=rf"Two runs of 0\. .*{why}"):
        no_two_alike([run(seed=0, steps=5), run(seed=0, **other)], seed)
