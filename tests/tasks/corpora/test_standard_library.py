"""The source of Python's standard library: which files, how they are read and told apart."""

import sysconfig
from pathlib import Path

import pytest

from positions.errors import DamagedFileError, NotAtHandError
from positions.tasks.corpora import standard_library


def write(folder: Path, *names: str, text: str = "x = 1\n") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in standard_library.files(folder)]


def test_what_is_no_source_of_the_library_is_left_out(tmp_path: Path) -> None:
    kept = ["abc.py", "json/decoder.py", "testing.py", "xml/encodings.py"]
    left = [
        "test/test_abc.py",
        "lib2to3/tests/data.py",
        "site-packages/torch.py",
        "idlelib/run.py",
        "encodings/cp037.py",
        "config-3.11-x86_64/python-config.py",
        "_sysconfigdata__linux.py",
        "abc.txt",
    ]
    write(tmp_path, *kept, *left)
    assert names(tmp_path) == kept


def test_a_file_stays_in_its_part_whatever_others_there_are(tmp_path: Path) -> None:
    few = [f"a{number}.py" for number in range(40)]
    write(tmp_path, *few)
    before = {name: standard_library.part(name) for name in few}
    shares = [standard_library.part(f"x/{number}.py") for number in range(40_000)]
    assert set(before.values()) == {"train", "validation", "test"}
    assert shares.count("train") / 40_000 == pytest.approx(standard_library.TRAIN, abs=0.01)
    assert shares.count("validation") / 40_000 == pytest.approx(
        standard_library.VALIDATION, abs=0.01
    )


def test_documents_are_whole_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    for number in range(40):
        write(tmp_path, f"a{number:02}.py", text=f"# {number}\n")
    write(tmp_path, "empty.py", text="\n")
    corpus = standard_library.load(tmp_path)
    for part in ("train", "validation", "test"):
        expected = [
            f"# {number}\n"
            for number in range(40)
            if standard_library.part(f"a{number:02}.py") == part
        ]
        assert list(getattr(corpus, part)) == expected


def test_no_source_at_all_is_said(tmp_path: Path) -> None:
    write(tmp_path, "test/test_abc.py")
    with pytest.raises(NotAtHandError, match=r"No Python source in .*python\.org"):
        standard_library.load(tmp_path)


def test_a_file_that_names_its_encoding_is_read_in_it(tmp_path: Path) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes("# coding: latin-1\n# Malmö\n".encode("latin-1"))
    assert "Malmö" in standard_library.read(path)


@pytest.mark.parametrize(
    "content", [b"# \xe9\n", b"x = 1\ny = 2\n# \xe9\n", b"# coding: klingon\n"]
)
def test_a_file_that_is_not_utf8_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.py"
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match=r"broken\.py cannot be read as Python source") as it:
        standard_library.load(tmp_path)
    assert "\n" not in str(it.value) and "Mend it" in str(it.value)


def test_the_running_pythons_own() -> None:
    root = Path(sysconfig.get_path("stdlib"))
    corpus = standard_library.load()
    everything = {*corpus.train, *corpus.validation, *corpus.test}
    assert (root / "argparse.py").read_text() in everything
    assert (root / "encodings" / "cp037.py").read_text() not in everything
    assert len(corpus.train) > 5 * len(corpus.validation) and len(corpus.test) > 20
    assert corpus.sha256 == standard_library.load().sha256
