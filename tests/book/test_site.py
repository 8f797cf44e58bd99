"""The site: built whole or not at all, by our command and by stock Jupyter Book."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from positions.book import digest, edition, execute, site
from positions.errors import DamagedFileError


def jupyter_book(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_site_is_replaced_only_by_a_whole_one(project: Path) -> None:
    (project / "_toc.yml").write_text("format: jb-book\nroot: chapters/plain\n")
    built = site.build("smoke").parent / "chapters" / "plain.html"
    before = built.read_text()
    assert "quokka" in before
    assert site.SMOKE in before  # on every page, as numbers at this preset mean nothing
    assert edition.read(built.parents[1]).packages["jupyter-book"]
    source = project / "chapters" / "plain.md"
    good = source.read_text()
    source.write_text(good + "\n{ref}`nowhere`\n")
    for _ in range(2):  # a warning counts not only the first time
        with pytest.raises(site.BuildFailedError, match=r"plain\.md:5: WARNING.*nowhere"):
            site.build("smoke")
        assert built.read_text() == before
    source.write_text(good.replace("quokka", "numbat"))
    site.build()
    assert "numbat" in built.read_text()
    assert site.SMOKE not in built.read_text()


def test_a_chapter_that_fails_stops_the_build_after_all_have_run(project: Path) -> None:
    path = project / "chapters" / "sample.ipynb"
    broken = path.read_text().replace("charts.enable()", "charts.enable(1)")
    (project / "chapters" / "broken.ipynb").write_text(broken.replace("(sample)=", "(broken)="))
    toc = project / "_toc.yml"
    toc.write_text(toc.read_text().replace("chapters/sample", "chapters/broken", 1))
    toc.write_text(toc.read_text() + "      - file: chapters/sample\n")
    with pytest.raises(execute.ChapterFailedError, match=r"broken failed in cell 3 of \d"):
        site.build("smoke")
    assert (project / "_build" / "executed" / "sample.ipynb").is_file()
    assert not (project / "_build" / "html").exists()


def test_a_damaged_configuration_is_named(project: Path) -> None:
    (project / "_config.yml").write_text("- no\n")
    (project / "_toc.yml").write_text("format: jb-book\nroot: chapters/plain\n")
    with pytest.raises(DamagedFileError, match=r"_config\.yml"):
        site.build()


def test_stock_jupyter_book_runs_chapters_again_only_when_the_library_changed(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "library" / "positions"
    shutil.copytree(digest.LIBRARY, library)
    monkeypatch.setenv("PYTHONPATH", str(library.parent))
    for says in ("Executing notebook", "Using cached notebook", "Executing notebook"):
        done = jupyter_book("build", str(project), "-W", "-n", "--keep-going", "--all")
        assert done.returncode == 0, done.stderr
        assert says in done.stdout + done.stderr
        if says.startswith("Using"):
            (library / "book" / "charts.py").open("a").write("# changed\n")
    assert 'class="book-chart"' in (project / "_build/html/chapters/sample.html").read_text()


def test_stock_jupyter_book_fails_where_a_chapter_does(project: Path) -> None:
    path = project / "chapters" / "sample.ipynb"
    path.write_text(path.read_text().replace("charts.enable()", "charts.enable(1)"))
    assert jupyter_book("build", str(project)).returncode != 0


def test_plain_papermill_works(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.ipynb"
    source = str(project / "chapters" / "sample.ipynb")
    command = [sys.executable, "-m", "papermill", source, str(out), "-p", "preset", "smoke"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Its numbers mean nothing" in out.read_text()


def test_plain_papermill_gets_the_helpful_error(project: Path, tmp_path: Path) -> None:
    source = str(project / "chapters" / "sample.ipynb")
    command = [sys.executable, "-m", "papermill", source, str(tmp_path / "o.ipynb")]
    done = subprocess.run(
        [*command, "-p", "preset", "lapdog"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "Did you mean 'laptop'? Valid: gpu, laptop, paper, smoke." in done.stderr
