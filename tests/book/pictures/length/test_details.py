"""Best and last weights, options of encodings, settings, conclusions."""

import pytest

from positions.book.pictures.length import conclusion, options, setup, weights

ORDER = {"nope": 0.9, "t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}


def test_the_last_weights_can_turn_the_ranking(look, grid):
    names = ["parity", "lego"]
    turned = [
        each for name, value in ORDER.items() for each in grid({name: value}, names, last=1 - value)
    ]
    turned = look(turned, names=names)
    assert "is another: the sinusoid, Rotary" in weights.said(turned)
    steady = [each for name, value in ORDER.items() for each in grid({name: value}, names)]
    assert "same with both: NoPE, T5's bias" in weights.said(look(steady, names=names))
    found = weights.table(turned).set_index(["variant", "weights"])["mean"]
    assert found["nope", "best"] == pytest.approx(0.9)
    assert found["nope", "last"] == pytest.approx(0.1)


def test_the_published_copying_models_were_taken_early_with_rotary():
    # checkpoints of the copying tasks: Rotary 2 to 14 thousand steps, NoPE and T5 12 to 40
    words = weights.selected()
    assert "Rotary 6,000" in words and "NoPE 34,000" in words


def test_sizes_of_the_sinusoid_are_compared_where_all_are_there(look, run, as_published):
    small = [
        run("parity", "sinusoidal", "amplitude=0.03", seed=seed, beyond=0.8) for seed in (0, 1)
    ]
    found = look(as_published + small)
    names = options.amplitudes(found)
    assert names == ["nope", "sinusoidal", "sinusoidal amplitude=0.03"]
    table = options.table(found, names)
    assert set(table["task"]) == {"parity"}
    said = options.of_sinusoids(found)
    assert "amplitude=0.03 goes further than that of size 1 on 1 task of 1, less far on 0" in said
    assert options.amplitudes(look(as_published)) == []


@pytest.mark.parametrize(("whole", "word"), [(0.1, "surely"), (0.3, "not surely")])
def test_both_rotaries_are_compared_over_tasks(look, run, as_published, whole, word):
    names = ["parity", "lego", "scan"]
    more = [
        run(task, "rotary", "fraction=1.0", seed=seed, beyond=whole)
        for task in names
        for seed in (0, 1)
    ]
    said = options.of_rotaries(look(as_published + more))
    assert said.startswith("Over 3 tasks") and f": {word} a difference" in said


def test_settings_are_told_beside_the_paper_s(look, run):
    records = [run("parity", "nope"), run("parity", "t5", layers=2), run("scan", "nope")]
    table = setup.table(look(records))
    assert table.index.tolist() == ["parity", "scan"]
    assert table.loc["parity", "trained up to"] == "4 (8)"
    assert table.loc["parity", "tested up to"] == "8 (16)"
    assert table.loc["parity", "layers x width"] == "1 x 16 / 2 x 16"
    assert table.loc["parity", "hours"] == "1.0"
    said = setup.summary(look(records))
    assert "3 runs on 2 tasks, 1.5 hours" in said and "a laptop, 1 thread a run." in said
    notes = records[0].provenance.model_copy(update={"threads": 2})
    two = [each.model_copy(update={"provenance": notes}) for each in records]
    assert ", 2 threads a run." in setup.summary(look(two))
    assert "On 2 tasks ours are trained on shorter inputs" in said


def test_winners_and_reach_are_counted_beyond_chance_among_those_that_learned(look, run):
    records = [
        run("parity", "nope", beyond=0.6),
        run("parity", "t5", within=0.2, beyond=0.9),
        run("scan", "nope", beyond=0.6),
        run("scan", "t5", beyond=0.7),
        run("lego", "nope", beyond=0.52),  # chance is 0.5
        run("lego", "t5", beyond=0.5),
        run("pcfg", "nope", beyond=0.9),  # alone, and so no winner
    ]
    found = look(records, ["nope", "t5"], ["parity", "scan", "lego", "pcfg"])
    assert "among 2 tasks: NoPE 1 and T5's bias 1" in conclusion.winners(found)
    said = conclusion.reach(found)
    assert "half on 2 of 4 tasks. By encoding: NoPE 2 and T5's bias 1" in said
    assert "on 2 tasks that all of these have learned" in conclusion.means(found)


def test_who_has_learned_nothing_is_not_among_all(look, run):
    records = [
        run("parity", "nope", beyond=0.9),
        run("parity", "t5", beyond=0.7),
        run("parity", "learned", "std=1.0", within=0.52, beyond=0.5),
    ]
    said = conclusion.means(look(records, ["nope", "t5", "learned"], ["parity"]))
    assert (
        "on 1 task that all of these have learned, they solve: NoPE 0.90 and T5's bias 0.70."
        in (said)
    )
    assert said.endswith("Left out, with no task learned: the learned table.")


def test_one_encoding_alone_is_best_in_nothing(look, as_published):
    alone = look(as_published, ["t5"])
    assert conclusion.winners(alone).startswith("No task is won: that takes two")
    assert "that T5's bias has learned, it solves 0.70" in conclusion.means(alone)


def test_what_was_not_asked_for_is_not_said_to_lack_records(look, run, as_published):
    alone = look([*as_published, run("parity", "rotary", "fraction=1.0")], ["t5"])
    assert options.of_rotaries(alone) == "Among these runs Rotary is not there in both ways."


def test_no_change_has_no_sign_of_its_own(look, run):
    same = look([run("parity", "t5", beyond=0.5, last=0.4999)], ["t5"])
    assert "by +0.000 in the mean" in weights.said(same)
