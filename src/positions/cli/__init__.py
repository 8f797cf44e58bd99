"""The command line: `positions COMMAND`. Errors are one message; `--traceback` shows the rest."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from positions import __version__
from positions.cli import chapters, data, results, sweep
from positions.cli.messages import TRACEBACK_VARIABLE, AlreadyToldError
from positions.errors import PositionsError

STOPPED = 130

app = typer.Typer(
    name="positions",
    help="A living reproduction of two papers on how Transformers know the order of their input.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("list")(chapters.list_everything)
app.command("run", cls=chapters.RunCommand)(chapters.run)
app.command("book")(chapters.book)
app.command("serve")(chapters.serve)
app.command("archive")(chapters.archive)
app.command("fork")(chapters.fork)
app.command("readme")(chapters.readme)
app.command("data")(data.show)
app.command("sweep")(sweep.sweep)
app.add_typer(results.app, name="results")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"positions {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where in the code an error comes from.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if traceback:
        os.environ[TRACEBACK_VARIABLE] = "1"


def main() -> None:
    """Run the command line; exit codes: 0 done, 1 a run failed, 2 wrong use, 130 or 143 stopped."""
    try:
        app()
    except AlreadyToldError as end:
        sys.exit(end.code)
    except SystemExit as end:
        if end.code == STOPPED:
            print("Stopped.", file=sys.stderr)
        raise
    except (PositionsError, OSError) as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        print(f"positions: {_words(error)}", file=sys.stderr)
        sys.exit(getattr(error, "exit_code", 2))


def _words(error: BaseException) -> str:
    """Return an error's message; the system's own ones name the file and the reason."""
    if isinstance(error, OSError) and not isinstance(error, PositionsError) and error.strerror:
        return f"{error.filename or 'the system says'}: {error.strerror}."
    return str(error) or type(error).__name__
