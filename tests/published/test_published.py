from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from positions import published
from positions.errors import UnknownNameError

ENCODINGS = ["nope", "t5", "alibi", "rotary", "ape"]


def test_every_file_is_listed_and_every_name_has_a_file_and_a_source():
    folder = Path(published.__file__).parent
    files = {f"{path.parent.name}/{path.stem}" for path in folder.glob("*/*.csv")}
    assert set(published.names()) == files
    for name in published.names():
        assert len(published.load(name)) > 0
        assert published.source(name).endswith(".")


def test_unknown_table_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'position-embeddings/tables'"):
        published.load("position-embeddings/table")
    with pytest.raises(UnknownNameError, match="Valid: "):
        published.source("../errors")


def test_missing_cells_stay_missing_and_the_word_none_stays_a_word():
    runs = published.load("length-generalization/runs")
    assert "none" in set(runs.scratchpad)
    assert runs.n_test.isna().any()


def ranks(frame: pd.DataFrame) -> pd.Series:
    """Return the mean reciprocal rank of each encoding over (task, seed) queries, complete ones."""
    wide = frame.pivot_table(index=["task", "seed"], columns="pe", values="accuracy").dropna()
    # ties go to the earlier of the authors' row order
    wide = wide[["rotary", "alibi", "t5", "ape", "nope"]]
    return (1 / wide.rank(axis=1, ascending=False, method="first")).mean()


@pytest.mark.parametrize(
    ("tasks", "queries", "category"),
    [
        ("copy|reverse", 24, "category:Primitive Tasks"),
        ("^scan$|^pcfg$", 6, "category:Classic Len. Gen. Datasets"),
    ],
)
def test_ranks_of_the_published_runs_give_the_published_ranks(tasks, queries, category):
    runs = published.load("length-generalization/runs")
    runs = runs[(runs.scratchpad == "none") & runs.task.str.contains(tasks)]
    assert runs.groupby(["task", "seed"]).ngroups == queries
    found = ranks(runs.rename(columns={"test_acc": "accuracy"}))
    mrr = published.load("length-generalization/mrr")
    printed = mrr[mrr.group == category].set_index("pe").mrr
    assert found[ENCODINGS].to_numpy() == pytest.approx(printed[ENCODINGS].to_numpy(), abs=5e-4)


def test_headline_ranks_are_the_mean_of_the_groups_weighted_by_queries():
    mrr = published.load("length-generalization/mrr")
    table = mrr.pivot_table(index="group", columns="pe", values="mrr")[ENCODINGS]
    groups = [name for name in table.index if name.startswith("category:")]
    weights = {"category:Classic Len. Gen. Datasets": 6, "category:Mathematical & Reasoning": 21}
    counts = np.array([weights.get(name, 24) for name in groups])
    mean = counts @ table.loc[groups].to_numpy() / counts.sum()
    headline = table.loc["overall_no_scratchpad_51_queries"].to_numpy()
    assert mean == pytest.approx(headline, abs=5e-4)


def test_accuracies_are_shares():
    for name in published.names():
        frame = published.load(name)
        for column in frame.columns[
            frame.columns.str.contains("accuracy") & (frame.dtypes != "str")
        ]:
            values = frame[column].dropna()
            assert values.between(0, 1).all(), (name, column)


def test_summary_agrees_with_the_runs_it_sums_up():
    summary = published.load("length-generalization/summary_iid_ood")
    exact = summary[(summary.source == "runs_exact") & (summary.split == "ood_test")]
    runs = published.load("length-generalization/runs")
    means = runs.groupby(["task", "pe", "scratchpad"]).test_acc.mean()
    joined = exact.set_index(["task", "pe", "scratchpad"]).overall_accuracy_mean.to_frame()
    joined["runs"] = means
    assert len(joined) > 40
    assert (joined.overall_accuracy_mean - joined.runs).abs().max() < 1e-4


def test_tables_of_the_first_paper_hold_four_encodings_each():
    tables = published.load("position-embeddings/tables")
    assert tables.groupby("table").encoding.nunique().to_dict() == {1: 4, 2: 4}
