import pytest

from positions.book.pictures.length import leads
from positions.book.pictures.note import Note


def test_a_lead_counts_if_seeds_agree_and_it_is_large_enough(look, run):
    values = {
        "parity": [(0.9, 0.5), (0.8, 0.5), (0.85, 0.5)],  # ahead
        "lego": [(0.2, 0.6), (0.3, 0.6), (0.25, 0.6)],  # behind
        "scan": [(0.9, 0.5), (0.1, 0.5), (0.5, 0.5)],  # seeds disagree
        "summation": [(0.51, 0.5), (0.52, 0.5), (0.53, 0.5)],  # too small
    }
    records = [
        run(task, name, seed=seed, beyond=value)
        for task, pairs in values.items()
        for seed, pair in enumerate(pairs)
        for name, value in zip(("nope", "t5"), pair, strict=True)
    ]
    found = look(records, names=list(values))
    who = leads.table(found, "t5").set_index("task")["leads"].to_dict()
    assert who == {
        "parity": "nope",
        "lego": "t5",
        "scan": "undecided",
        "summation": "undecided",
    }
    said = leads.against(found)
    assert said.startswith("Over 4 tasks NoPE solves 0.01 more than T5's bias")
    assert "NoPE leads on 1 task (`parity`), T5's bias on 1 task (`lego`)" in said
    assert "; on 2 tasks (`summation` and `scan`) they cannot be told apart. " in said
    clear = leads.against(look(records, names=["parity"]))
    assert "T5's bias on no task. " in clear and "told apart" not in clear


def test_the_sign_of_a_difference_between_guesses_is_not_counted(look, run):
    records = [run("addition", "nope", beyond=0.03), run("addition", "t5", beyond=0.0)]
    said = leads.against(look(records, names=["addition"]))
    assert said.endswith("There is no task on which one of them is beyond chance.")
    records += [run("scan", "nope", beyond=0.3), run("scan", "t5", beyond=0.5)]
    said = leads.against(look(records, names=["addition", "scan"]))
    assert "Of 1 task on which one of them is beyond chance, 1 has a difference of the" in said


def test_one_seed_decides_nothing_on_a_single_task(look, run):
    records = [run("parity", "nope", beyond=0.5), run("parity", "t5", beyond=0.9)]
    said = leads.against(look(records, names=["parity"]))
    assert "NoPE solves 0.40 less than T5's bias" in said
    assert "With one seed a task" in said


def test_a_task_that_one_has_not_learned_is_won_by_nobody(look, run):
    records = [run("parity", "nope", beyond=0.9), run("parity", "t5", within=0.3, beyond=0.0)]
    found = leads.table(look(records, names=["parity"]), "t5").iloc[0]
    assert found["seeds"] == 0 and found["leads"] == "undecided"


def test_published_differences_stand_beside_ours(look, as_published):
    found = leads.table(look(as_published), "t5").set_index("task")["published"].astype(float)
    assert found["copy_v1_repeat"] == pytest.approx(0.986 - 0.771, abs=1e-3)
    assert found["sort_multi"] == pytest.approx(0.264 - 0.371, abs=1e-3)
    assert leads.table(look(as_published), "learned")["published"].isna().all()


def test_without_nope_there_is_no_lead_to_draw(look, as_published):
    without = look(as_published, ["t5", "alibi"])
    assert isinstance(leads.chart(without), Note)
    assert "takes runs of NoPE" in leads.against(without)
