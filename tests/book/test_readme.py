"""The findings in README.md: those of the records, and nothing else of the file touched."""

from pathlib import Path

import pytest

from positions.book import readme
from positions.book.readme import END, START, replaced, update
from positions.claims import Evidence
from positions.errors import DamagedFileError, NotAtHandError
from positions.runs import Store

CHECKOUT = Path(__file__).resolve().parents[2]


def test_the_findings_are_those_of_the_records() -> None:
    evidence = Evidence(Store(CHECKOUT / "results"), "laptop")
    text = (CHECKOUT / "README.md").read_text("utf-8")
    current = replaced(text, readme.findings(evidence)) == text
    assert current, "the records have changed since: run `positions readme`"


def test_all_claims_are_counted_where_nothing_is_recorded(store: Store) -> None:
    text = readme.findings(Evidence(store, "laptop"))
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()]
    assert rows[2] == ["Wang & Chen 2020", "0", "0", "0", "0", "16"]
    assert rows[3] == ["Kazemnejad et al. 2023", "0", "0", "1", "0", "21"]
    assert "(chapters/length-generalization.ipynb)" in rows[-1][-1]


def test_only_what_stands_between_the_markers_is_replaced() -> None:
    text = f"# Book\n\n{START}\nold\n{END}\n\n## Start\n"
    after = replaced(text, "new")
    assert after == f"# Book\n\n{START}\n\nnew\n\n{END}\n\n## Start\n"
    assert replaced(after, "new") == after


@pytest.mark.parametrize(
    "text",
    ["", START, END, f"{END}\n{START}", f"{START}\n{END}\n{START}\n{END}"],
    ids=["none", "no end", "no start", "turned", "twice"],
)
def test_a_file_without_its_markers_is_refused(text: str) -> None:
    with pytest.raises(DamagedFileError, match="must hold these two lines once"):
        replaced(text, "new")


def test_a_file_is_written_once_and_kept_where_it_cannot_be(store: Store, tmp_path: Path) -> None:
    evidence = Evidence(store, "smoke")
    with pytest.raises(NotAtHandError, match=r"no .*README\.md"):
        update(tmp_path, evidence)
    path = tmp_path / "README.md"
    path.write_text(f"{START}\n{END}\n")
    assert update(tmp_path, evidence)
    assert "Kazemnejad" in path.read_text()
    assert not update(tmp_path, evidence)
    path.write_bytes(b"\xff")
    with pytest.raises(DamagedFileError, match="not UTF-8"):
        update(tmp_path, evidence)
    assert path.read_bytes() == b"\xff"
    assert list(tmp_path.glob(".README*")) == []


def test_a_bar_stays_in_its_cell() -> None:
    assert readme._table(["a"], [["x | y\nz"]]).splitlines()[-1] == "| x \\| y z |"
