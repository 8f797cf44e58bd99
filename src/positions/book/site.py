"""The site: chapters with their outputs, staged and built with Jupyter Book."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock, Timeout

from positions import paths
from positions.book import digest, edition, execute, parameters, toc
from positions.errors import DamagedFileError, InvalidValueError, PositionsError

SMOKE = "This book was made at preset smoke, only to see that it runs: its numbers mean nothing."
SERVICES = {
    "notebook_interface": "classic",
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}
_GITHUB = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")
CARRIED = ("_toc.yml", "references.bib")


class BuildFailedError(PositionsError):
    """A build that failed or warned; the site of before is still there."""

    exit_code = 1


def build(
    preset: str | None = None,
    *,
    force: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """Execute every chapter of the table of contents, build the site, return its first page.

    The site in `_build/html` is replaced only by a whole one. Raises `ChapterFailedError` for the
    chapters that failed, after all have been tried, and `BuildFailedError` where Jupyter Book
    fails or warns.
    """
    project = paths.project()
    executed = _execute_all(project, preset, force, say)
    site = project / "_build" / "html"
    with _alone(project, say):
        stage = _stage(project, executed, _config(project, preset))
        say("building the site")
        _jupyter_book(stage, project / "_build" / "site")
        built = project / "_build" / "site" / "_build" / "html"
        edition.write(built, edition.of(project))
        _replace_folder(built, site)
    return site / "index.html"


@contextlib.contextmanager
def _alone(project: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Keep two builds of one project from writing to the same folders."""
    (project / "_build").mkdir(exist_ok=True)
    lock = FileLock(project / "_build" / ".site.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        say("waiting for another build of this book to end")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _execute_all(
    project: Path, preset: str | None, force: bool, say: Callable[[str], None]
) -> list[execute.Executed]:
    chapters = toc.listed(project)
    given = {c: _preset_for(c, preset) for c in chapters}
    for chapter, values in given.items():  # all of them before the first one runs
        parameters.resolve(chapter.path, values)
    executed, failures = [], []
    for chapter, values in given.items():
        try:
            executed.append(execute.run(chapter, values, force=force, say=say))
        except execute.ChapterFailedError as error:
            failures.append(error)
            say(f"{chapter.name}: failed")
    if failures:
        raise execute.together(failures)
    return executed


def _preset_for(chapter: toc.Chapter, preset: str | None) -> dict[str, str]:
    wanted = preset is not None and "preset" in parameters.read(chapter.path)
    return {"preset": str(preset)} if wanted else {}


def _stage(project: Path, executed: list[execute.Executed], config: bytes) -> Path:
    """Lay out what Jupyter Book reads: pages, executed notebooks, and a config that runs none."""
    stage = project / "_build" / "stage"
    outputs = {item.chapter.path: item.path for item in executed}
    wanted: dict[Path, bytes] = {}
    for source in [*toc.pages(project), *_beside_pages(project)]:
        wanted[source.relative_to(project)] = outputs.get(source, source).read_bytes()
    for extra in CARRIED:
        if (project / extra).is_file():
            wanted[Path(extra)] = (project / extra).read_bytes()
    wanted[Path("_config.yml")] = config
    for path in sorted(stage.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(stage) not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = stage / name
        # an untouched file keeps its time, so that Sphinx reads only what is new
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return stage


def _beside_pages(project: Path) -> list[Path]:
    """Return what pages may refer to: files beside the chapters, and static files."""
    files = [path for name in ("chapters", "_static") for path in (project / name).rglob("*")]
    return [
        path
        for path in sorted(files)
        if path.is_file()
        and path.suffix not in toc.SUFFIXES
        and not any(part.startswith(".") for part in path.relative_to(project).parts)
    ]


def _config(project: Path, preset: str | None) -> bytes:
    """Return the configuration for pages that hold their outputs already."""
    path = project / "_config.yml"
    try:
        config = yaml.safe_load(path.read_text("utf-8"))
        config.setdefault("execute", {})["execute_notebooks"] = "off"
        if preset == "smoke":
            config.setdefault("html", {})["announcement"] = SMOKE
        config = launching(config)
    except (yaml.YAMLError, AttributeError) as error:
        raise DamagedFileError(f"{path} is no configuration of Jupyter Book: {error}") from None
    return yaml.safe_dump(config, sort_keys=False, allow_unicode=True).encode()


def launching(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration with buttons for the repository, Binder and Colab.

    They need the public address, `repository: url:`; where that is empty they stay off. Raises
    `InvalidValueError` for an address that is not of GitHub, where neither service could open it.
    """
    address = str((config.get("repository") or {}).get("url") or "").rstrip("/")
    if not address:
        return config
    if not _GITHUB.fullmatch(address):
        raise InvalidValueError(
            f"_config.yml gives the repository as {address!r}; Binder and Colab open those of "
            "GitHub: https://github.com/OWNER/NAME. Correct it, or leave it empty."
        )
    repository = {"branch": "main", "path_to_book": "", **config["repository"], "url": address}
    html = {"use_repository_button": True, "use_issues_button": True, **config.get("html", {})}
    return {**config, "repository": repository, "html": html, "launch_buttons": dict(SERVICES)}


def _jupyter_book(stage: Path, output: Path) -> None:
    """Run Jupyter Book; any warning is an error, and all are shown."""
    start = "from jupyter_book.cli.main import main; main(prog_name='jupyter-book')"
    command = [sys.executable, "-c", start, "build", str(stage)]
    command += ["--path-output", str(output), "-W", "-n", "--keep-going", "-q"]
    looks = _looks(stage)
    seen = output / ".looks"
    if not seen.is_file() or seen.read_text("utf-8") != looks:
        command.append("--all")  # Sphinx doesn't notice a changed style or script
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        # without what Sphinx has read, the next build reads all pages and warns again
        shutil.rmtree(output / "_build" / ".doctrees", ignore_errors=True)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stderr or done.stdout)
        text = "\n".join(line for line in plain.splitlines() if line.strip())
        raise BuildFailedError(
            f"The site could not be built; the one of before is kept. Jupyter Book says:\n{text}"
        )
    output.mkdir(parents=True, exist_ok=True)
    seen.write_text(looks, "utf-8")


def _looks(stage: Path) -> str:
    """Digest what changes every page."""
    parts = [digest.of_folder(folder) for folder in (stage / "_static", digest.LIBRARY / "book")]
    parts += [(stage / "_config.yml").read_text("utf-8"), digest.of_packages()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _replace_folder(new: Path, target: Path) -> None:
    """Copy a folder over another, which is there whole until the copy is."""
    fresh, old = target.with_name(".html.new"), target.with_name(".html.old")
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(new, fresh)
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
