"""The box that ends a chapter: how many runs, whose, and how to see one."""

from pathlib import Path

import pytest

from made_up import provenance
from positions.book import parameters, toc
from positions.book.provenance import duration, footer
from positions.experiments.base import key
from positions.runs import Record

CHECKOUT = Path(__file__).resolve().parents[2]
RECORDED = [
    chapter for chapter in toc.listed(CHECKOUT) if "recorded(" in chapter.path.read_text("utf-8")
]


def record(number: int, experiment: str = "doubles", **facts) -> Record:
    config = {"number": number}
    return Record(
        key=key(experiment, 1, config),
        experiment=experiment,
        version=1,
        preset="laptop",
        config=config,
        metrics={},
        series={},
        status="ok",
        provenance=provenance(**facts),
    )


def test_runs_time_machine_days_and_code_are_told() -> None:
    first = record(1, started="2026-01-01T10:00:00+00:00", commit="a" * 40, dirty=False)
    last = record(2, started="2026-01-03T10:00:00+00:00", commit="b" * 40, dirty=True)
    page = footer([last, first]).data
    assert "2 recorded runs of <code>doubles</code>, preset laptop: 2 min 0 s" in page
    assert "on a laptop, 2026-01-01 to 2026-01-03, code aaaaaaaaa, bbbbbbbbb+." in page
    assert "positions results show doubles --preset laptop" in page


def test_the_key_named_is_one_of_the_runs() -> None:
    runs = [record(number) for number in range(3)]
    page = footer(runs).data
    assert any(f"<code>positions results show {run.key}</code>" in page for run in runs)


def test_many_commits_are_counted_and_each_machine_is_named() -> None:
    runs = [
        record(n, commit=str(n) * 40, device=f"<GPU {n % 2}>", started=f"2026-01-0{n + 1}T00:00:00")
        for n in range(5)
    ]
    page = footer(runs).data
    assert "code of 5 commits, 000000000 to 444444444" in page
    assert "on &lt;GPU 0&gt; and &lt;GPU 1&gt;, " in page


def test_one_run_without_a_commit() -> None:
    page = footer([record(1)]).data
    assert "1 recorded run of" in page
    assert "2026-01-01, code outside git." in page


def test_each_experiment_has_its_line_and_nothing_recorded_says_nothing() -> None:
    assert footer([record(1), record(1, "triples"), record(2)]).data.count("Made from") == 2
    assert footer([]).data == ""


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.25, "0.2 s"),
        (59.4, "59.4 s"),
        (59.6, "1 min 0 s"),
        (125, "2 min 5 s"),
        (3599.7, "1 h 0 min"),
        (7500, "2 h 5 min"),
        (3_600_000, "1,000 h 0 min"),
    ],
)
def test_times_are_told_in_two_units_at_most(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize("chapter", RECORDED, ids=lambda chapter: chapter.name)
def test_each_chapter_with_records_ends_with_it(chapter: toc.Chapter) -> None:
    cells = parameters.notebook(chapter.path).cells
    assert cells[-1].cell_type == "code"
    assert "provenance.footer(" in cells[-1].source


def test_several_chapters_have_records() -> None:
    assert {chapter.name for chapter in RECORDED} >= {"probing", "length-generalization", "theory"}
