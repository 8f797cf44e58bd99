"""Mean reciprocal rank: the published figures, ties, what is left out, and how sure it is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from positions import published
from positions.analysis.ranking import (
    PAPER_ROWS,
    Ranked,
    agreement,
    mean_reciprocal_rank,
    reciprocal_ranks,
)
from positions.errors import InvalidValueError, UnknownNameError

FIVE = ("nope", "t5", "alibi", "rotary", "sinusoidal")
HEADLINE = {"nope": 0.687, "t5": 0.549, "alibi": 0.502, "rotary": 0.330, "sinusoidal": 0.215}
CLASSIC = ("scan", "pcfg")


def scores(table, variants=FIVE):
    """Scores from {(task, seed): values in the order of `variants`}."""
    return pd.DataFrame(
        [
            {"task": task, "seed": seed, "variant": name, "accuracy": value}
            for (task, seed), values in table.items()
            for name, value in zip(variants, values, strict=True)
        ]
    )


def random_scores(seed=0, tasks=6, seeds=3):
    rng = np.random.default_rng(seed)
    return scores({(f"task{t}", s): rng.random(5) for t in range(tasks) for s in range(seeds)})


def means(ranked, unit="task"):
    return mean_reciprocal_rank(ranked, unit).set_index("variant")["mean"]


@pytest.fixture(scope="module")
def runs():
    """The published runs without scratchpad, one row each: 10 tasks, 3 seeds."""
    table = published.load("length-generalization/runs")
    table = table[(table.scratchpad == "none") & ~table.task.str.endswith("noprefix")]
    return table.rename(columns={"pe": "variant", "test_acc": "accuracy"}).replace(
        {"variant": {"ape": "sinusoidal"}}
    )


def published_rank(group):
    table = published.load("length-generalization/mrr")
    rows = table[table.group == group].set_index("pe").mrr
    return rows.rename({"ape": "sinusoidal"})


# The published figures, from the published runs.


@pytest.mark.parametrize(
    ("group", "label", "queries"),
    [
        ("primitive", "category:Primitive Tasks", 24),
        ("classic", "category:Classic Len. Gen. Datasets", 6),
    ],
)
def test_ranks_of_the_published_runs_are_those_of_figure_2(runs, group, label, queries):
    of_group = runs[runs.task.isin(CLASSIC) == (group == "classic")]
    ranked = reciprocal_ranks(of_group, FIVE, ties="rows")
    assert (len(ranked.table), ranked.dropped) == (queries, [])
    figure_2 = published_rank(label)
    for name, value in means(ranked).items():
        assert value == pytest.approx(figure_2[name], abs=5e-5), name


@pytest.mark.parametrize(("ties", "label"), [("rows", "first"), ("mean", "average")])
def test_both_rules_for_ties_give_the_recomputed_figures(runs, ties, label):
    ranked = reciprocal_ranks(runs[~runs.task.isin(CLASSIC)], FIVE, ties)
    figures = published_rank(f"recomputed:primitive:ties={label}:n=24")
    for name, value in means(ranked).items():
        assert value == pytest.approx(figures[name], abs=5e-7), name


def test_headline_is_the_weighted_mean_of_the_groups(runs):
    ranked = reciprocal_ranks(runs, FIVE, ties="rows")
    assert len(ranked.table) == 30
    mathematical = published_rank("category:Mathematical & Reasoning")  # per-seed not published
    headline = published_rank("overall_no_scratchpad_51_queries")
    for name, value in means(ranked).items():
        whole = (30 * value + 21 * mathematical[name]) / 51
        assert whole == pytest.approx(headline[name], abs=5e-5), name
        assert whole == pytest.approx(HEADLINE[name], abs=1e-3), name


def test_ties_of_the_published_runs_change_no_rank_by_more_than_0_015(runs):
    gap = means(reciprocal_ranks(runs, FIVE)) - means(reciprocal_ranks(runs, FIVE, "mean"))
    assert 0 < gap.abs().max() <= 0.015
    assert gap[["nope", "t5", "alibi"]].abs().max() == 0


# Ranks.


def test_the_highest_score_has_rank_1():
    ranked = reciprocal_ranks(scores({("sort", 0): (0.2, 0.9, 0.5, 0.1, 0.0)}), FIVE)
    assert ranked.table.loc[("sort", 0)].tolist() == [1 / 3, 1, 1 / 2, 1 / 4, 1 / 5]


def test_ties_go_by_row_or_are_shared():
    table = scores({("copy", 0): (0, 0, 0, 0, 0), ("copy", 1): (0.5, 0.5, 0.9, 0, 0)})
    by_row = reciprocal_ranks(table, FIVE, ties="rows").table
    first = by_row.loc[("copy", 0)].sort_values(ascending=False)
    assert tuple(first.index) == PAPER_ROWS
    assert first.tolist() == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]
    shared = reciprocal_ranks(table, FIVE, ties="mean").table
    assert set(shared.loc[("copy", 0)]) == {1 / 3}
    assert shared.loc[("copy", 1)].tolist() == [1 / 2.5, 1 / 2.5, 1, 1 / 4.5, 1 / 4.5]
    assert by_row.columns.tolist() == shared.columns.tolist() == list(FIVE)


def test_shared_ties_do_not_depend_on_the_order_of_the_variants():
    table = scores({("copy", 0): (0, 0, 0.5, 0, 0.5), ("copy", 1): (0.1, 0.1, 0.1, 0, 0)})
    one = means(reciprocal_ranks(table, FIVE, "mean"))
    other = means(reciprocal_ranks(table, FIVE[::-1], "mean"))
    assert one.sort_index().equals(other.sort_index())


def test_without_ties_each_query_hands_out_the_same_ranks():
    table = random_scores()
    for ties in ("rows", "mean"):
        ranked = reciprocal_ranks(table, FIVE, ties)
        assert np.allclose(np.sort(ranked.table, axis=1), [1 / 5, 1 / 4, 1 / 3, 1 / 2, 1])


def test_any_increasing_rescaling_ranks_alike():
    table = random_scores()
    scaled = table.assign(accuracy=np.exp(3 * table.accuracy))
    ranks = reciprocal_ranks(table, FIVE).table
    assert ranks.equals(reciprocal_ranks(scaled, FIVE).table)


# What is left out.


def test_a_query_that_lacks_a_variant_is_left_out_by_name():
    table = random_scores()
    gone = (table.task == "task1") & (table.seed == 2) & table.variant.isin(["t5", "alibi"])
    failed = (table.task == "task4") & (table.seed == 0) & (table.variant == "nope")
    table.loc[failed, "accuracy"] = np.nan  # it diverged
    ranked = reciprocal_ranks(table[~gone], FIVE)
    assert ranked.dropped == [("task1", 2, ("t5", "alibi")), ("task4", 0, ("nope",))]
    assert len(ranked.table) == 16
    assert ranked.explain() == (
        "2 of 18 queries are left out: task1, seed 2 (no t5, alibi); task4, seed 0 (no nope)."
    )
    # others are not asked for, so the query counts
    assert len(reciprocal_ranks(table[~gone], ("nope", "rotary")).table) == 17


def test_nothing_left_to_rank_says_why():
    table = scores({("copy", 0): (0.1, np.nan, 0.2, 0.3, 0.4), ("sum", 0): (np.nan, 1, 1, 1, 1)})
    ranked = reciprocal_ranks(table, FIVE)
    assert len(ranked.table) == 0
    with pytest.raises(InvalidValueError, match=r"nothing to rank.*copy, seed 0 \(no t5\).*Record"):
        mean_reciprocal_rank(ranked)


@pytest.mark.parametrize(
    ("change", "variants", "error", "words"),
    [
        (lambda table: table, ("nope", "alibbi"), UnknownNameError, "Did you mean 'alibi'"),
        (lambda table: table, ("nope",), InvalidValueError, "two or more different variants"),
        (lambda table: table, ("nope", "nope"), InvalidValueError, "two or more different"),
        (lambda table: table.iloc[:0], FIVE, InvalidValueError, "the table is empty"),
        (lambda table: table.drop(columns="seed"), FIVE, InvalidValueError, "columns seed; needed"),
        (
            lambda table: pd.concat([table, table.iloc[[3]]]),
            FIVE,
            InvalidValueError,
            "rotary has more than one score on task0 with seed 0",
        ),
    ],
)
def test_bad_input_is_one_clear_message(change, variants, error, words):
    table = change(random_scores())
    with pytest.raises(error, match=words):
        reciprocal_ranks(table, variants)
    with pytest.raises(error, match=words):
        agreement(table, random_scores().query("seed == 0"), variants)


def test_unknown_rules_are_refused():
    with pytest.raises(UnknownNameError, match=r"rule for ties 'first'.*mean, rows"):
        reciprocal_ranks(random_scores(), FIVE, ties="first")
    with pytest.raises(UnknownNameError, match=r"unit 'seed'.*query, task"):
        mean_reciprocal_rank(reciprocal_ranks(random_scores(), FIVE), unit="seed")


# How sure it is.


@pytest.mark.parametrize("unit", ["task", "query"])
def test_intervals_hold_the_mean_and_are_the_same_again(unit):
    ranked = reciprocal_ranks(random_scores(), FIVE)
    found = mean_reciprocal_rank(ranked, unit)
    assert list(found) == ["variant", "mean", "low", "high", "queries"]
    assert (found.low < found["mean"]).all()
    assert (found["mean"] < found.high).all()
    assert found["mean"].is_monotonic_decreasing
    assert set(found.queries) == {18}
    assert found.equals(mean_reciprocal_rank(ranked, unit))


def test_more_seeds_of_the_same_ranks_make_us_surer_only_of_the_queries():
    few = random_scores(seeds=1)
    many = pd.concat([few.assign(seed=seed) for seed in range(9)])
    widths = {}
    for name, table in (("few", few), ("many", many)):
        ranked = reciprocal_ranks(table, FIVE)
        for unit in ("task", "query"):
            found = mean_reciprocal_rank(ranked, unit)
            widths[name, unit] = float((found.high - found.low).mean())
    assert widths["many", "task"] == pytest.approx(widths["few", "task"])
    assert widths["many", "query"] < 0.5 * widths["few", "query"]


def test_query_interval_is_that_of_a_mean_of_independent_queries():
    ranked = reciprocal_ranks(random_scores(tasks=80, seeds=1), FIVE)
    found = mean_reciprocal_rank(ranked, "query").set_index("variant")
    normal = 2 * 1.96 * ranked.table.std() / np.sqrt(len(ranked.table))
    assert np.allclose(found.high - found.low, normal[found.index], rtol=0.1)


def test_one_task_has_no_interval_over_tasks():
    found = mean_reciprocal_rank(reciprocal_ranks(random_scores(tasks=1), FIVE))
    assert found[["low", "high"]].isna().all(axis=None)
    assert found["mean"].notna().all()


def test_a_task_counts_once_however_many_seeds_it_has():
    table = Ranked(random_scores_table(), [])
    by_task = mean_reciprocal_rank(table).set_index("variant")["mean"]
    assert by_task["a"] == pytest.approx((1 + 0.5) / 2)
    by_query = mean_reciprocal_rank(table, unit="query").set_index("variant")["mean"]
    assert by_query["a"] == pytest.approx((1 + 1 + 1 + 0.5) / 4)


def random_scores_table():
    index = pd.MultiIndex.from_tuples([("x", 0), ("x", 1), ("x", 2), ("y", 0)])
    index.names = ["task", "seed"]
    return pd.DataFrame({"a": [1, 1, 1, 0.5], "b": [0.5, 0.5, 0.5, 1]}, index=index)


# Agreement with what is published.


def test_agreement_is_the_mean_tau_over_seeds(runs):
    ours = random_scores(tasks=2)
    truth = random_scores(seed=1, tasks=2).query("seed == 0")
    found = agreement(ours, truth, FIVE).set_index("task")
    for task in ("task0", "task1"):
        want = truth[truth.task == task].accuracy
        taus = [
            stats.kendalltau(rows.accuracy, want).statistic
            for _, rows in ours[ours.task == task].groupby("seed")
        ]
        assert found.tau[task] == pytest.approx(np.mean(taus))
        assert min(taus) <= found.low[task] <= found.tau[task] <= found.high[task] <= max(taus)


def test_published_runs_agree_with_their_own_means(runs):
    truth = runs.groupby(["task", "variant"], as_index=False).accuracy.mean()
    found = agreement(runs, truth, FIVE).set_index("task")
    assert list(found.index) == list(dict.fromkeys(runs.task))
    assert set(found.seeds) == {3}
    assert found.tau.mean() > 0.8
    assert found.tau.max() == pytest.approx(1)
    back = agreement(runs.assign(accuracy=-runs.accuracy), truth, FIVE).set_index("task")
    assert np.allclose(back.tau, -found.tau)


def test_seeds_without_an_order_do_not_count():
    ours = scores(
        {
            ("copy", 0): (0, 0, 0, 0, 0),
            ("copy", 1): (5, 4, 3, 2, 1),
            ("copy", 2): (5, 4, 3, 2, np.nan),
            ("sum", 0): (1, 1, 1, 1, 1),
        }
    )
    truth = scores({("copy", 0): (5, 4, 3, 2, 1), ("sum", 0): (1, 2, 3, 4, 5)})
    found = agreement(ours, truth, FIVE).set_index("task")
    assert found.tau["copy"] == pytest.approx(1)
    assert found.seeds["copy"] == 1
    assert np.isnan(found.low["copy"])
    assert (np.isnan(found.tau["sum"]), found.seeds["sum"]) == (True, 0)


def test_a_task_that_is_not_published_is_named():
    ours = random_scores(tasks=2)
    truth = random_scores(tasks=2).query("seed == 0 and not (task == 'task1' and variant == 't5')")
    with pytest.raises(InvalidValueError, match="No published accuracy of t5 on task1"):
        agreement(ours, truth, FIVE)
    with pytest.raises(InvalidValueError, match="on task1 to compare"):
        agreement(ours, truth.query("task == 'task0'"), FIVE)
