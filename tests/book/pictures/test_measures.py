import pytest

from positions import experiments
from positions.book import charts
from positions.book.pictures import measures
from positions.errors import InvalidValueError
from positions.experiments.probing import ProbingConfig
from positions.runs.engine import execute

MEASURES = ("index", "index-splits", "order", "identification")


@pytest.fixture(scope="module")
def records():
    probing = experiments.get("probing")
    return [
        execute(probing, ProbingConfig(table=table, measure=name, seeds=2, positions=60), "smoke")
        for table in ("gaussian", "sinusoidal", "shuffled:sinusoidal")
        for name in MEASURES
    ]


def test_real_tables_come_before_controls(records):
    order = [record.config["table"] for record in measures.of(records, "index")]
    assert order == ["sinusoidal", "gaussian", "shuffled:sinusoidal"]


def test_published_figures_stand_beside_ours_and_absent_tables_are_said(records):
    published = {"sinusoidal": 0.0, "roberta-base": 6.06}
    picture = measures.against_published(records, "index", "mae", published, "error, positions")
    numbers = picture.numbers.set_index("table")
    ours = next(r for r in measures.of(records, "index") if r.config["table"] == "gaussian")
    assert numbers.loc["gaussian", "mean"] == pytest.approx(ours.metrics["mae"], rel=1e-5)
    assert numbers.loc["gaussian", ["low", "high"]].between(0, 100).all()
    assert numbers.loc["RoBERTa (not at hand)", "published"] == 6.06
    assert numbers["mean"].isna().sum() == 1
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)


def test_changes_take_each_variant_from_its_measure(records):
    variants = {"folds": ("index", "mae"), "blocks": ("index-splits", "blocks")}
    numbers = measures.changes(records, variants, "error").numbers.set_index("table")
    for record in measures.of(records, "index-splits"):
        assert numbers.loc[measures.name(record), "blocks"] == record.metrics["blocks"]


def test_curves_follow_the_record_and_thin_to_means(records):
    axes = ("position", "error")
    whole = measures.curves(records, "index", "error_by_index", "index", ["gaussian"], axes)
    thin = measures.curves(records, "index", "error_by_index", "index", ["gaussian"], axes, every=6)
    assert len(whole.numbers) == 60 and len(thin.numbers) == 10
    assert thin.numbers["error"].iloc[1] == pytest.approx(
        whole.numbers["error"].iloc[6:12].mean(), abs=1e-3
    )


def test_logarithmic_axes_leave_zero_out(records):
    noise = ("identification", "accuracy", "sigma_over_length")
    picture = measures.curves(records, *noise, ["gaussian"], ("noise", "share"), ("log", "linear"))
    assert (picture.numbers["noise"] > 0).all()


def test_overview_marks_what_is_not_recorded(records):
    rows = {"index": ("index", "mae"), "other": ("selectivity", "order_real")}
    table = measures.overview(records, rows, ["sinusoidal", "gpt2"])
    assert list(table) == ["sinusoid"]
    assert table.loc["index", "sinusoid"] != "-"
    assert table.loc["other", "sinusoid"] == "-"


def test_nothing_recorded_names_the_remedy():
    with pytest.raises(InvalidValueError, match="positions sweep probing"):
        measures.changes([], {"folds": ("index", "mae")}, "error")
