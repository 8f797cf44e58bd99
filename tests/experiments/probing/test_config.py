import numpy as np
import pytest

from positions import tables
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.probing.config import ProbingConfig, requires, rows


def config(table: str, **settings: object) -> ProbingConfig:
    return ProbingConfig(table=table, measure="index", positions=60, **settings)


def test_an_unknown_measure_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"'index'.*identification"):
        ProbingConfig(table="gpt2", measure="indx")


@pytest.mark.parametrize("setting", [{"seeds": 0}, {"positions": 3}, {"seeds": "2"}, {"rows": 5}])
def test_a_wrong_setting_is_named(setting: dict[str, object]) -> None:
    with pytest.raises(InvalidValueError, match=next(iter(setting))):
        ProbingConfig(table="gpt2", measure="index", **setting)


def test_an_unknown_table_is_named() -> None:
    with pytest.raises(UnknownNameError, match="sinusoidal"):
        rows(config("sinusoidl"), 0)


def test_too_short_a_table_is_named(data_folder: object) -> None:
    long = ProbingConfig(table="gpt2", measure="index", positions=2_000)
    with pytest.raises(InvalidValueError, match="1024 rows"):
        rows(long, 0)


def test_a_table_not_at_hand_is_said_to_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.delenv("POSITIONS_DATA", raising=False)
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path))
    for table in ("gpt2", "shuffled:gpt2", "noisy-after-128:gpt2"):
        reason = requires(config(table))
        assert reason is not None
        assert "gpt2 is not at hand" in reason
    assert requires(config("sinusoidal")) is None
    assert requires(config("noisy-after-128:sinusoidal")) is None


def test_tables_are_cut_before_they_are_shuffled() -> None:
    plain = rows(config("sinusoidal"), 0).rows
    mixed = rows(config("shuffled:sinusoidal"), 3).rows
    assert plain.shape == mixed.shape == (60, 768)
    assert sorted(plain[:, 0]) == sorted(mixed[:, 0])
    assert not (plain == mixed).all()


def test_random_tables_follow_the_seed_and_fixed_ones_do_not() -> None:
    for table, random in (("gaussian", True), ("rotated:sinusoidal", True), ("sinusoidal", False)):
        assert config(table).is_random is random
        same = rows(config(table), 1).sha256 == rows(config(table), 2).sha256
        assert same is not random
        assert rows(config(table), 1).sha256 == rows(config(table), 1).sha256


def test_noise_after_128_leaves_the_first_rows_nearly_alone() -> None:
    noisy = ProbingConfig(table="noisy-after-128:sinusoidal", measure="index")
    noise = rows(noisy, 0).rows - tables.load("sinusoidal").rows
    assert noise[:128].std() == pytest.approx(0.05, rel=0.02)
    assert noise[128:].std() == pytest.approx(1.5, rel=0.02)
    assert np.abs(noise.mean()) < 0.01


def test_published_roberta_keeps_its_unused_rows_only_where_asked() -> None:
    with pytest.raises(InvalidValueError, match="unused_rows"):
        rows(config("sinusoidal", unused_rows=True), 0)
