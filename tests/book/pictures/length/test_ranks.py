import pytest

from positions.book.pictures.length import agreement, conclusion, ranks
from positions.book.pictures.note import Note

PRINTED = {"nope": 0.687, "t5": 0.549, "alibi": 0.502, "rotary": 0.330, "sinusoidal": 0.215}


def figures(found, figure, group=ranks.ALL):
    chosen = found[(found["figure"] == figure) & (found["group"] == group)]
    return chosen.set_index("variant")["mean"].to_dict()


def test_a_fixed_order_gives_one_over_the_rank_beside_what_is_printed(look, as_published):
    found = ranks.table(look(as_published))
    expected = {"nope": 1, "t5": 1 / 2, "alibi": 1 / 3, "rotary": 1 / 4, "sinusoidal": 1 / 5}
    assert figures(found, ranks.OURS) == pytest.approx(expected)
    assert figures(found, ranks.PRINTED) == pytest.approx(PRINTED, abs=5e-4)
    assert figures(found, ranks.SAME) == {}  # all tasks are ranked
    assert figures(found, ranks.PRINTED, "primitive")["nope"] == pytest.approx(0.7986)
    described = ranks.chart(look(as_published)).description
    assert described.endswith(
        "ours with 95 % intervals over tasks and the published figures as printed."
    )


def test_what_has_not_learned_its_task_loses_nothing(look, run, grid):
    records = grid({"t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}, ["parity", "lego"])
    for seed in range(2):
        records.append(run("parity", "nope", seed=seed, beyond=0.9))
        records.append(run("lego", "nope", seed=seed, within=0.4, beyond=0.0))
    found = ranks.table(look(records))
    assert figures(found, ranks.OURS)["nope"] == 1
    said = ranks.headline(look(records))
    assert "Left out: 2 queries" in said
    assert "Over 4 queries, learned or not, " in said


def test_published_ranks_are_computed_anew_on_the_tasks_that_are_ranked(look, grid):
    names = ["scan", "pcfg"]
    beyond = {"nope": 0.9, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}
    found = ranks.table(look(grid(beyond, names), names=names))
    # the paper's Figure 2, classic tests
    expected = {"nope": 0.5, "t5": 0.708, "alibi": 0.458, "rotary": 0.417, "sinusoidal": 0.2}
    assert figures(found, ranks.SAME) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("swap", "word", "where"),
    [(False, "The order is the same.", "As in the paper"), (True, "another", "Other than")],
)
def test_words_follow_the_order(look, grid, swap, word, where):
    beyond = {"nope": 0.9, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}
    if swap:
        beyond |= {"nope": 0.1, "sinusoidal": 0.9}
    found = look(grid(beyond))
    first = "the sinusoid" if swap else "NoPE"
    assert f": {first} 1.00" in ranks.headline(found)
    assert word in ranks.headline(found)
    assert where in ranks.leader(found) and f"{first} ranks first" in ranks.leader(found)
    assert ranks.by_group(found).count(f"{first} leads") == 3


def test_a_lead_that_tasks_disagree_on_is_said_to_be_open(look, grid):
    order = {"nope": 0.9, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}
    other = order | {"nope": 0.7, "t5": 0.9}
    names = ["parity", "lego", "scan", "summation", "polynomial"]
    open_ = look(grid(order, names[:3]) + grid(other, names[3:]), names=names)
    assert "could change places" in ranks.headline(open_)
    assert "leaves zero out" in ranks.headline(look(grid(order, names), names=names))


def test_one_task_has_no_interval_over_tasks(look, grid):
    order = {"nope": 0.9, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}
    one, two = ["parity"], ["parity", "lego"]
    assert "In brackets" not in ranks.headline(look(grid(order, one), names=one))
    assert "In brackets" in ranks.headline(look(grid(order, two), names=two))


def test_one_encoding_alone_is_not_ranked(look, as_published):
    alone = look(as_published, ["nope"])
    assert isinstance(ranks.chart(alone), Note)
    for said in (ranks.headline(alone), ranks.leader(alone), ranks.by_group(alone)):
        assert said.startswith("Nothing is ranked: that takes two")


GUESSES = {"nope": 0.04, "t5": 0.03, "alibi": 0.02, "rotary": 0.01, "sinusoidal": 0.0}
NOBODY = "On `addition` none of these encodings gets 0.05 beyond chance"


def test_a_task_on_which_nobody_is_beyond_chance_ranks_nobody(look, grid):
    found = look(grid(GUESSES, ["addition"]), names=["addition"])
    assert figures(ranks.table(found), ranks.OURS) == {}
    for said in (ranks.headline(found), ranks.leader(found), ranks.by_group(found)):
        assert NOBODY in said
        assert "leads" not in said and "ranks first" not in said
    assert "ours" not in ranks.chart(found).description
    assert agreement.table(found).empty
    assert NOBODY in agreement.said(found)


def test_among_others_that_task_is_left_out_and_named(look, grid):
    order = {"nope": 0.1, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.2}
    records = grid(order, ["parity", "scan"]) + grid(GUESSES, ["addition"])
    found = look(records)
    assert figures(ranks.table(found), ranks.OURS)["t5"] == 1
    assert "(4 queries, 2 tasks, 2 seeds)" in ranks.headline(found)
    assert NOBODY in ranks.headline(found)
    assert "among 2 tasks: T5's bias 2" in conclusion.winners(found)


def test_two_encodings_that_only_guess_have_a_note_for_a_chart(look, grid):
    found = look(grid(GUESSES, ["addition"]), ["nope", "t5"], ["addition"])
    note = ranks.chart(found)
    assert isinstance(note, Note) and NOBODY in note.text
