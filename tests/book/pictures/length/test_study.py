import pytest

from positions.book.pictures.length import names, study
from positions.encodings import registry
from positions.encodings.base import Encoding
from positions.errors import InvalidValueError


def test_runs_are_chosen_by_encoding_and_task(look, as_published):
    found = look(as_published, ["nope", "rotary"], ["lego", "parity"])
    assert list(found.tasks) == ["parity", "lego"]  # the paper's order
    assert set(found.runs["task"]) == {"parity", "lego"}
    assert set(found.runs["variant"]) == {"nope", "rotary"}
    assert found.paper() == ["nope", "rotary"]


def test_a_run_that_falls_short_or_diverges_has_not_learned(look, run):
    low = study.LEARNED - 0.01
    records = [
        run("parity", "nope", seed=0),
        run("parity", "nope", seed=1, within=low),
        run("parity", "nope", seed=2, within=None, beyond=None),
    ]
    assert look(records).runs["learned"].tolist() == [True, False, False]


def test_options_tried_on_a_few_tasks_stand_in_no_chart_of_all(look, run, as_published):
    few = [run(task, "sinusoidal", "amplitude=0.03") for task in ("parity", "lego")]
    found = look(as_published + few)
    assert "sinusoidal amplitude=0.03" in set(found.runs["variant"])
    assert "sinusoidal amplitude=0.03" not in found.variants
    assert "sinusoidal amplitude=0.03" in look(few).variants  # here they are all there is


def test_an_encoding_of_the_reader_s_own_stands_in_every_chart(
    look, run, as_published, monkeypatch: pytest.MonkeyPatch
):
    class Mine(Encoding):
        """Nothing new."""

    monkeypatch.setitem(registry._classes, "mine", Mine)
    found = look([*as_published, run("parity", "mine")], ["nope", "mine"])
    assert found.variants == ["nope", "mine"]


@pytest.mark.parametrize("asked", [["nope", "mine"], ["mine"]])
def test_an_encoding_without_records_is_named_with_its_command(
    look, as_published, monkeypatch: pytest.MonkeyPatch, asked
):
    class Mine(Encoding):
        """Nothing new."""

    monkeypatch.setitem(registry._classes, "mine", Mine)
    found = look(as_published, asked, ["parity"])
    assert [run for run in found.missing if run[1] == "mine"] == [
        ("parity", "mine", seed) for seed in range(3)
    ]
    text = study.notice(found).data
    assert "Of mine nothing is recorded" in text
    assert "positions sweep length_generalization --preset laptop --where encoding=mine" in text
    assert "entry point" in text


def test_an_encoding_of_the_book_without_records_is_named_too(look, as_published):
    text = study.notice(look(as_published, ["nope", "learned"], ["parity"])).data
    assert "Of the learned table nothing is recorded" in text
    assert "--where encoding=learned</code> does it." in text


def test_the_notice_names_what_the_preset_has_and_the_records_lack(look, run):
    from positions.experiments.length_generalization import EXPERIMENT

    config = next(each for each in EXPERIMENT.configs("laptop") if each.task == "parity")
    settings = config.canonical()
    for known in ("task", "encoding", "encoding_options", "seed"):
        del settings[known]
    record = run("parity", config.encoding, config.encoding_options, config.seed, **settings)
    found = look([record], [config.encoding])
    assert ("parity", "nope", config.seed) not in found.missing
    text = study.notice(found).data
    assert "<code>pcfg</code>: all runs" in text
    assert "<code>parity</code>: all encodings, seeds" in text
    assert "--preset laptop" in text
    assert study.notice(look([])).data == ""  # the page says so already


def test_settings_that_mix_are_refused(look, run):
    two = [run("parity", "nope"), run("parity", "nope", steps=6)]
    with pytest.raises(InvalidValueError, match=r"differ in steps \(4 / 6\)") as raised:
        look(two)
    assert str(raised.value).startswith("Two runs of parity, nope, seed 0.")
    keys = " and ".join(each.key for each in two)
    place = f"recorded in `results/length_generalization/laptop.jsonl`, keys {keys}."
    assert place in str(raised.value)
    assert "`positions results show KEY`" in str(raised.value)


def test_names_read_well_in_sentences():
    assert names.encoding("sinusoidal amplitude=0.03") == "the sinusoid with amplitude=0.03"
    assert names.encoding("zigzag") == "zigzag"
    assert names.listed(["a", "b", "c"]) == "a, b and c"
    assert names.tasks([]) == "none"
    assert names.many(1, "query") == "1 query"
    assert names.many(2000, "query") == "2,000 queries"


def test_a_range_has_no_negative_zero():
    assert names.span(-0.004, 0.385) == "0.00 to 0.39"
    assert names.span(-0.014, 0.385) == "-0.01 to 0.39"
