"""The figures that Kazemnejad et al. 2023 publish for each claim, taken from their tables.

Encodings bear the library's names; what the paper calls APE is `sinusoidal`.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from positions import published

ENCODINGS = ("nope", "t5", "alibi", "rotary", "sinusoidal")
GROUPS = {
    "primitive": "category:Primitive Tasks",
    "mathematical": "category:Mathematical & Reasoning",
    "classic": "category:Classic Len. Gen. Datasets",
}
LONG_DOCUMENT = 2_750
"""Appendix F's means are over documents of at least so many tokens."""


def rank() -> dict[str, float]:
    """Return the mean reciprocal rank of each encoding over all 51 queries (Figure 1)."""
    return _rank("overall_no_scratchpad_51_queries")


def rank_by_group() -> dict[str, float]:
    """Return the mean reciprocal rank in each group of tasks (Figure 2)."""
    return {
        f"{group}: {name}": value
        for group, label in GROUPS.items()
        for name, value in _rank(label).items()
    }


def accuracy_beyond() -> dict[str, float]:
    """Return the mean accuracy beyond the training lengths over 17 tasks."""
    return _ordered(_accuracy("ood_test").mean())


def accuracy_within() -> dict[str, float]:
    """Return the mean accuracy within the training lengths over 17 tasks."""
    return _ordered(_accuracy("iid_valid").mean())


def best_explicit() -> dict[str, float]:
    """Return in how many of the 17 tasks each encoding but NoPE is best beyond training lengths."""
    best = _accuracy("ood_test").drop(columns="nope").idxmax(axis=1).value_counts()
    return {name: float(best.get(name, 0)) for name in ENCODINGS[1:]}


def gaps_of_rotary() -> dict[str, float]:
    """Return how far Rotary is from sinusoidal and from T5 in mean accuracy beyond training."""
    mean = accuracy_beyond()
    return {
        "rotary to sinusoidal": abs(mean["rotary"] - mean["sinusoidal"]),
        "rotary to t5": abs(mean["rotary"] - mean["t5"]),
    }


def nope_above_t5() -> dict[str, float]:
    """Return NoPE's mean lead over T5 on (task, seed) pairs, and the share of pairs it wins.

    Pairs of the primitive and classic tasks, whose runs are published.
    """
    runs = _named(published.load("length-generalization/runs"))
    runs = runs[(runs.scratchpad == "none") & ~runs.task.str.endswith("noprefix")]
    wide = runs.pivot_table(index=["task", "seed"], columns="pe", values="test_acc")
    lead = (wide["nope"] - wide["t5"]).dropna()
    return {"mean lead of nope": float(lead.mean()), "share of pairs": float((lead > 0).mean())}


def forward_ms() -> dict[str, float]:
    """Return the median time of a forward pass at 2001 tokens on a V100, in ms."""
    times = _named(published.load("length-generalization/runtime_efficiency"))
    chosen = times[(times.phase == "inference") & (times.length == 2001)]
    return _ordered(chosen.set_index("pe").gpu_ms_median)


def task_winners() -> dict[str, float]:
    """Return accuracy beyond training where the winner is neither NoPE nor T5 (Figure F.5)."""
    accuracy = _accuracy("ood_test")
    found = {}
    for task in ("polynomial", "lego", "sort_multi"):
        row = accuracy.T[task]
        for name in dict.fromkeys([str(row.idxmax()), "nope", "t5"]):
            found[f"{task}: {name}"] = float(row[name])
    return found


def divergence_from_nope() -> dict[str, float]:
    """Return the attention's divergence from NoPE on SCAN, mean over layers (Figure 4)."""
    return _divergence("all_layers")


def divergence_by_layer() -> dict[str, float]:
    """Return in what share of the 12 layers the claimed orders of divergence hold (Figure F.7)."""
    table = published.load("length-generalization/attention_divergence_scan")
    layers = [name for name in table.layer.unique() if name != "all_layers"]
    each = [_divergence(layer) for layer in layers]
    return {
        "t5 below alibi": _mean(row["t5"] < row["alibi"] for row in each),
        "alibi below sinusoidal": _mean(row["alibi"] < row["sinusoidal"] for row in each),
        "rotary farthest": _mean(row["rotary"] == max(row.values()) for row in each),
    }


def helped_by_scratchpad() -> dict[str, float]:
    """Return for each task how many of the 5 encodings its best scratchpad helps (Figure 6)."""
    table = _scratchpads()
    gain = table.drop(columns="none").max(axis=1) - table["none"]
    count = (gain > 0).groupby(level="task").sum()
    return {str(task): float(value) for task, value in count.items()}


def spread_over_formats() -> dict[str, float]:
    """Return best minus worst accuracy over scratchpad formats, mean over encodings, by task."""
    table = _scratchpads().drop(columns="none")
    spread = (table.max(axis=1) - table.min(axis=1)).groupby(level="task").mean()
    return {str(task): float(value) for task, value in spread.items()}


def best_format() -> dict[str, float]:
    """Return the mean reciprocal rank of each encoding's best scratchpad format (Figure F.8)."""
    table = published.load("length-generalization/mrr")
    found = {}
    for label, name in _PRINTED.items():
        rows = table[table.group == f"scratchpad_format_by_pe:{label}"]
        rows = rows[rows.scratchpad != "none"]
        best = rows.set_index("scratchpad").mrr
        form = str(best.idxmax()).removesuffix("_CO")  # our name of the minimal format
        found[f"{name}: {form}"] = float(best.max())
    return found


def near_and_far() -> dict[str, float]:
    """Return the share of attention near (below 0.075) and far (from 0.825) (Figure 7)."""
    table = _named(published.load("length-generalization/attention_distance_hist"))
    found = {}
    for name in ENCODINGS:
        rows = table[table.pe == name]
        found[f"{name}: near"] = float(rows[rows.bin_centre < 0.075].fraction.sum())
        found[f"{name}: far"] = float(rows[rows.bin_centre > 0.825].fraction.sum())
    return found


def perplexity_within() -> dict[str, float]:
    """Return the perplexity of the 1.3-billion-parameter models at their context of 1024."""
    return _perplexity([1_024])


def perplexity_beyond() -> dict[str, float]:
    """Return the perplexity of the large models at 1200 to 1800 tokens."""
    return _perplexity([1_200, 1_400, 1_600, 1_800])


def perplexity_far_beyond() -> dict[str, float]:
    """Return the perplexity of the large models at 2048 and 2560 tokens."""
    found = _perplexity([2_048, 2_560])
    return {name: value for name, value in found.items() if not name.startswith("rotary")}


def steps_of_pcfg() -> dict[str, float]:
    """Return the mean number of training steps of the PCFG runs (the paper says 40,000)."""
    runs = _named(published.load("length-generalization/runs"))
    return _ordered(runs[runs.task == "pcfg"].groupby("pe").max_steps_cfg.mean())


_PRINTED = {
    "No PE": "nope",
    "T5’s Rel. Bias": "t5",
    "ALiBi": "alibi",
    "Rotary": "rotary",
    "APE": "sinusoidal",
}


def _named(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(pe=table.pe.replace("ape", "sinusoidal"))


def _ordered(values: pd.Series) -> dict[str, float]:
    return {name: float(values[name]) for name in ENCODINGS if name in values.index}


def _rank(group: str) -> dict[str, float]:
    table = _named(published.load("length-generalization/mrr"))
    return _ordered(table[table.group == group].set_index("pe").mrr)


def _accuracy(split: str) -> pd.DataFrame:
    """Return accuracy by task (17 rows) and encoding, without scratchpad."""
    table = _named(published.load("length-generalization/summary_iid_ood"))
    chosen = table[(table.scratchpad == "none") & (table.split == split)]
    chosen = chosen[~chosen.task.str.endswith("noprefix")]
    return chosen.pivot_table(index="task", columns="pe", values="overall_accuracy_mean")


def _mean(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every)


def _divergence(layer: str) -> dict[str, float]:
    table = published.load("length-generalization/attention_divergence_scan")
    table = table[table.layer == layer]
    table = table.assign(pe=table.other_model.replace({"ape": "sinusoidal"}))
    mean = table.groupby("pe").mean_min_divergence_digitised.mean()
    first = {"nope, another seed": float(mean["nope_other_seed"])}
    return {**(first if "nope_other_seed" in mean.index else {}), **_ordered(mean)}


def _scratchpads() -> pd.DataFrame:
    """Return accuracy beyond training by task and encoding (rows) and format (columns)."""
    table = _named(published.load("length-generalization/scratchpad_ood_accuracy"))
    return table.pivot_table(index=["task", "pe"], columns="scratchpad", values="accuracy")


def _perplexity(contexts: list[int]) -> dict[str, float]:
    table = published.load("length-generalization/1b_perplexity")
    shortest = table.length_bucket.str.split("-").str[0].astype(int)
    table = table[(shortest >= LONG_DOCUMENT) & table.context_size.isin(contexts)]
    mean = table.groupby(["pe", "context_size"]).perplexity.mean()
    return {
        f"{name} at {context}": float(mean[name, context])
        for name in ("nope", "alibi", "rotary")
        for context in contexts
    }
