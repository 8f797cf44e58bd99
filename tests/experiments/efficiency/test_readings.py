from types import SimpleNamespace

import pytest

from positions.experiments.efficiency.readings import COLUMNS, costs, fullest, named, rounds


def record(encodings=("nope", "t5"), length=5, machine="one", mib=2.0, **changes):
    metrics: dict[str, float | None] = {"load": 0.0}
    for place, text in enumerate(encodings):
        for kind in ("ms", "ms_low", "ms_high", "tokens_per_second"):
            metrics[f"{kind} {text}"] = 10.0 + place
        for kind in ("times_nope", "times_nope_low", "times_nope_high"):
            metrics[f"{kind} {text}"] = 1 + place / 10
        metrics[f"mib {text}"] = mib and mib * (1 + place)
    config = {
        "machine": machine,
        "phase": "forward",
        "attention": "written",
        "length": length,
        "encodings": list(encodings),
        **changes,
    }
    series = {f"ms {text}": [1.0, 2.0] for text in encodings}
    return SimpleNamespace(config=config, metrics=metrics, series=series)


def test_one_row_an_encoding_and_length_in_the_order_of_lengths() -> None:
    table = costs([record(length=9), record(length=5)])
    assert list(table.columns) == list(COLUMNS)
    assert list(zip(table["length"], table["variant"], strict=True)) == [
        (5, "nope"),
        (5, "t5"),
        (9, "nope"),
        (9, "t5"),
    ]


def test_ratios_of_nope_are_1() -> None:
    table = costs([record(), record(length=9)]).set_index("variant")
    assert set(table.loc["nope", "times_nope"]) == {1.0}
    assert set(table.loc["nope", "mib_times_nope"]) == {1.0}
    assert set(table.loc["t5", "mib_times_nope"]) == {2.0}


@pytest.mark.parametrize("mib", [None, 0.0])
def test_memory_that_is_not_known_has_no_ratio(mib) -> None:
    assert costs([record(mib=mib)])["mib_times_nope"].isna().all()


def test_names_are_those_of_the_book() -> None:
    assert named("rotary fraction=0.25") == "rotary"
    assert named("rotary fraction=1.0") == "rotary, whole"
    assert named("sinusoidal amplitude=1.0") == "sinusoidal"
    assert named("mine depth=3") == "mine depth=3"


def test_of_two_records_of_a_setting_the_one_with_more_encodings_counts() -> None:
    few, many = record(), record(("nope", "t5", "alibi"))
    assert fullest([few, many]) == fullest([many, few]) == [many]
    assert len(costs([few, many])) == 3


def test_machines_are_kept_apart() -> None:
    assert set(costs([record(), record(machine="two")])["machine"]) == {"one", "two"}


def test_rounds_bear_the_names_of_the_book() -> None:
    found = rounds(record(("nope", "rotary fraction=0.25")))
    assert found == {"nope": [1.0, 2.0], "rotary": [1.0, 2.0]}


def test_nothing_recorded_is_an_empty_table() -> None:
    assert list(costs([]).columns) == list(COLUMNS)
    assert len(costs([])) == 0
