"""Which runs count, what is said of them, and which are missing."""

import pytest

from positions.book.pictures.scratchpad import study
from positions.errors import InvalidValueError


def test_runs_of_chosen_tasks_and_encodings(look) -> None:
    found = look(encodings=["t5", "nope"], tasks=["lego", "parity"])
    assert found.variants == ["nope", "t5"]
    assert found.tasks == ["parity", "lego"]
    assert set(found.runs["task"]) == {"parity", "lego"}
    assert set(found.runs["variant"]) == {"nope", "t5"}


def test_all_tasks_with_steps_where_none_is_named(look) -> None:
    found = look()
    assert len(found.tasks) == 7
    assert found.recorded() == ["addition", "parity", "lego"]


def test_a_task_without_steps_is_refused(look) -> None:
    with pytest.raises(InvalidValueError, match=r"scan: no steps to write.*addition"):
        look(tasks=["scan"])


def test_what_has_not_learned_its_lengths_does_not_count(look, run) -> None:
    found = look([run(), run(encoding="t5", within=0.3), run(encoding="alibi", within=None)])
    assert found.counted()["accuracy"].notna().sum() == 1
    said = study.learned(found)
    assert "Of 3 runs, 1 solve at least 85%" in said
    assert "1 diverged." in said
    assert "Fewer than half have, on: `parity` (full)." in said


def test_at_smoke_all_count(look, run) -> None:
    found = look([run(within=0.0)], preset="smoke")
    assert found.counted()["accuracy"].notna().all()
    assert "no model has learned" in study.learned(found)


def test_the_note_names_what_lacks_and_how_to_get_it(look, records) -> None:
    part = records(["parity"], seeds=1, forms=lambda task: ("none", "full"))
    note = study.notice(look(part)).data
    assert "positions sweep scratchpad --preset laptop" in note
    assert "<code>parity</code>: all runs of minimal, without input" in note
    assert "some runs of no scratchpad and full" in note
    assert "<code>addition</code>, <code>sort_single</code>, <code>lego</code>: all runs" in note


def test_no_note_where_nothing_is_recorded_at_all(look) -> None:
    assert study.notice(look([])).data == ""
    assert study.learned(look([])) == "No run of this preset is recorded yet."
    assert study.settings(look([])).data == study.NOTHING
    assert study.within(look([])).data == study.NOTHING


def test_settings_and_accuracy_within(look, records) -> None:
    found = look(records(["parity"], seeds=2))
    table = study.settings(found)
    assert table.loc["parity", "runs"] == "80"
    assert table.loc["parity", "trained up to"].endswith(" (8)")
    within = study.within(found)
    assert list(within.index)[:3] == ["no scratchpad", "minimal", "full"]
    assert within.loc["full", "parity"] == "1.00, 10/10"
