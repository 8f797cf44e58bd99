import pytest

from positions.book.pictures.length import agreement, paper

VARIANTS = {
    "nope": ("nope", ""),
    "t5": ("t5", ""),
    "alibi": ("alibi", ""),
    "rotary": ("rotary", "fraction=0.25"),
    "sinusoidal": ("sinusoidal", "amplitude=1.0"),
}


@pytest.mark.parametrize(("sign", "words"), [(1, "On 3 of them"), (-1, "On 0 of them")])
def test_the_published_scores_agree_with_themselves(look, run, sign, words):
    names = ["polynomial", "lego", "sort_multi"]
    scores = paper.scores(names).groupby(["task", "variant"])["accuracy"].mean()
    records = [
        run(task, *VARIANTS[variant], seed=seed, beyond=float(0.75 + sign * value / 4))
        for (task, variant), value in scores.items()
        for seed in range(2)
    ]
    found = look(records, names=names)
    assert agreement.table(found)["tau"].tolist() == pytest.approx([sign] * 3)
    assert words in agreement.said(found)


def test_one_encoding_alone_has_no_order(look, as_published):
    said = agreement.said(look(as_published, ["t5"]))
    assert said == "A ranking to compare with the paper's takes two of its encodings."


def test_tasks_that_somebody_has_not_learned_are_left_out(look, grid, run):
    records = grid({"t5": 0.7, "alibi": 0.5, "rotary": 0.3, "sinusoidal": 0.1}, ["parity", "lego"])
    records += [run("parity", "nope", seed=seed, beyond=0.8) for seed in range(2)]
    records += [run("lego", "nope", seed=seed, within=0.2) for seed in range(2)]
    assert agreement.table(look(records))["task"].tolist() == ["parity"]
