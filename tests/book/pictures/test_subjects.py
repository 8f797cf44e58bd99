import numpy as np
import pytest

from positions import published
from positions.book.pictures import subjects, verdicts
from positions.claims import Verdict, get
from positions.claims.base import Figure
from positions.errors import InvalidValueError, PositionsError


def test_tables_that_cannot_be_had_are_left_out_and_said(monkeypatch, tmp_path):
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    names = ["sinusoidal", "roberta-base"]
    assert list(subjects.at_hand(names)) == ["sinusoidal"]
    overview = subjects.overview(names)
    assert overview.loc["RoBERTa", "rows x columns"] == "not at hand"
    assert overview.loc["RoBERTa", "Table 1"] == "6.06 positions"


def test_real_rows_are_cut_to_512(data_folder):
    assert subjects.at_hand(["gpt2"])["gpt2"].shape == (512, 768)


def test_printed_figures_are_those_of_the_published_table():
    rows = published.load("position-embeddings/tables")
    assert len(subjects.printed(1)) + len(subjects.printed(2)) == len(rows)
    assert subjects.printed(2)["gpt2"] == pytest.approx(1.56)


def test_verdicts_are_shown_with_reason_and_figures():
    claim = get("position-embeddings/C2")
    figure = Figure("bert-base-uncased", 34.14, 34.5, 33.0, 36.0, 200)
    one = Verdict(claim, "reproduced", "It <holds>.", (figure,))
    page = verdicts.table([one]).data
    assert "It &lt;holds&gt;." in page and "34.14" in page and claim.statement in page
    assert verdicts.count([one, one]) == "2 claims: 2 reproduced."
    assert verdicts.count([one]) == "1 claim: 1 reproduced."
    assert verdicts.count([]) == "0 claims."


def test_notice_names_what_is_missing_and_is_empty_otherwise():
    assert "RoBERTa" in subjects.notice(["sinusoidal", "roberta-base"], ["sinusoidal"]).data
    assert subjects.notice(["sinusoidal"], ["sinusoidal"]).data == ""


def test_no_table_at_hand_is_an_error_that_says_why(tmp_path):
    with pytest.raises(PositionsError, match=r"nothing\.npy"):
        subjects.at_hand([str(tmp_path / "nothing.npy")])


def test_a_table_too_short_for_the_pictures_is_named(tmp_path):
    short = tmp_path / "short.npy"
    np.save(short, np.ones((41, 8), dtype=np.float32))
    with pytest.raises(InvalidValueError, match=r"short\.npy has 41 rows"):
        subjects.at_hand([str(short)])
