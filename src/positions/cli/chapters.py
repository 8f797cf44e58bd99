"""Commands for the book: what there is, run chapters, build, look at it, fork a chapter."""

from __future__ import annotations

import functools
import http.server
import webbrowser
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from positions import paths
from positions.cli.messages import say, table
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError, PositionsError

Chapters = Annotated[
    list[str], typer.Argument(metavar="CHAPTER", help="Names as `positions list` shows them.")
]
Preset = Annotated[
    str | None, typer.Option("--preset", help="The scale: smoke, laptop, gpu or paper.")
]
Force = Annotated[bool, typer.Option("--force", help="Run even where nothing has changed.")]


def list_everything() -> None:
    """List what there is: chapters, experiments, encodings ..."""
    from positions import encodings, experiments, tables
    from positions.book import parameters, toc
    from positions.runs import Store

    chapters = toc.chapters()
    print("Chapters")
    table(
        (chapter.name, ", ".join(parameters.read(chapter.path)) or "no parameters")
        for chapter in chapters
    )
    print("\nExperiments")
    store = Store()
    for name in experiments.names():
        experiment = experiments.get(name)
        print(f"  {name}: {experiment.title}")
        table(
            ((preset, _recorded(store, experiment, preset)) for preset in experiment.presets),
            indent=4,
        )
    print(f"\nPresets\n  {', '.join(parameters.PRESETS)}")
    print(f"\nEncodings\n  {', '.join(encodings.names())}")
    print("\nTables")
    table(
        (name, "" if tables.at_hand(name) else "not at hand: see `positions data`")
        for name in tables.names()
    )
    print(f"  {', '.join(tables.derived_names())}")


def _recorded(store: Any, experiment: Any, preset: str) -> str:
    """Say how many runs are recorded; a damaged file keeps nobody from seeing the rest."""
    try:
        return f"{len(store.load(experiment, preset))} runs recorded"
    except DamagedFileError:
        return "damaged: see `positions results verify`"


def run(
    chapters: Chapters,
    preset: Preset = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", metavar="NAME VALUE", help="May be given repeatedly."),
    ] = None,
    force: Force = False,
) -> None:
    """Execute chapters with papermill.

    A chapter that fails keeps its last good output.
    """
    from positions.book import execute, parameters, toc

    pairs = _pairs(parameter or [])
    if preset is not None and "preset" in pairs:
        raise InvalidValueError(
            f"--preset {preset} and -p preset {pairs['preset']} both give the preset; "
            "leave one out."
        )
    given = pairs | ({"preset": preset} if preset is not None else {})
    known = [toc.chapter(name) for name in chapters]
    for chapter in known:  # all of them before the first one runs
        parameters.resolve(chapter.path, given)
    failures = []
    for chapter in known:
        try:
            print(execute.run(chapter, given, force=force, say=say).path)
        except execute.ChapterFailedError as error:
            failures.append(error)
            say(f"{chapter.name}: failed")
    if failures:
        raise execute.together(failures)


def book(
    preset: Preset = None,
    force: Force = False,
    show: Annotated[bool, typer.Option("--open", help="Open the book when it is done.")] = False,
) -> None:
    """Execute the chapters that changed and build the site."""
    from positions.book import site

    page = site.build(preset, force=force, say=say)
    print(page)
    if show:
        webbrowser.open(page.as_uri())


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
) -> None:
    """Serve the built book on this machine, until Ctrl-C."""
    folder = paths.build() / "html"
    if not (folder / "index.html").is_file():
        raise NotAtHandError(f"No book in {folder} yet. Build it first: positions book")
    handler = functools.partial(_Quiet, directory=str(folder))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise PositionsError(
            f"Port {port} can't be used ({error.strerror}). Choose another: --port 0 takes any."
        ) from None
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"{address} (Ctrl-C ends it)", flush=True)
    if show:
        webbrowser.open(address)
    with server:
        server.serve_forever()


def fork(
    chapter: Annotated[str, typer.Argument(metavar="CHAPTER", help="The chapter to start from.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the copy.")],
) -> None:
    """Copy a chapter for a variant of your own.

    The copy is listed in _toc.yml behind the original.
    """
    from positions.book import fork as forks

    path = forks.fork(chapter, name)
    print(path)
    say(f"Listed in _toc.yml. Change it, then: positions run {name}")


def archive(
    target: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Default: _build/positions-book.zip.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file of before.")] = False,
) -> None:
    """Pack the built site into one zip file.

    Its manifest holds checksums, versions and the commit.
    """
    from positions.book import archive as packing

    folder = paths.build()
    file = target or folder / f"{packing.FOLDER}.zip"
    print(packing.archive(folder / "html", file, force=force))


def readme() -> None:
    """Write what was found into README.md.

    Between its two markers: claims by verdict, and what stands out in the recorded runs.
    """
    from positions.book import readme as findings
    from positions.claims import Evidence
    from positions.runs import Store

    changed = findings.update(paths.project(), Evidence(Store(), "laptop"))
    print("README.md: findings written." if changed else "README.md: nothing has changed.")


class RunCommand(TyperCommand):
    """Lets `-p NAME VALUE` stand beside `-p NAME=VALUE`, as papermill has it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Join a name and its value to one argument."""
        joined: list[str] = []
        rest = list(args)
        while rest:
            joined.append(rest.pop(0))
            if joined[-1] in ("-p", "--parameter") and len(rest) > 1 and "=" not in rest[0]:
                joined.append(f"{rest.pop(0)}={rest.pop(0)}")
        return super().parse_args(ctx, joined)


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise InvalidValueError(f"-p takes a name and a value, not {text!r}: -p seeds 3")
        pairs[name] = value
    return pairs


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Files without a line a request."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
