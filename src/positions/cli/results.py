"""The commands `results ...`: look at recorded runs, check, merge and repeat them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from positions.cli.messages import AlreadyToldError, say, table
from positions.errors import DamagedFileError, InvalidValueError, unknown_name

if TYPE_CHECKING:
    from positions.runs import Record, Store

app = typer.Typer(
    help="Recorded runs: show, verify, merge, rerun.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command()
def show(
    what: Annotated[
        str | None, typer.Argument(metavar="[EXPERIMENT|KEY]", help="Nothing: an overview.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Only this preset.")] = None,
) -> None:
    """Show what is recorded.

    Without an argument an overview; else an experiment's runs, or the run whose key starts so. A
    damaged file is named, and keeps nobody from seeing the others.
    """
    from positions import experiments
    from positions.runs import Store

    store = Store()
    damaged: list[DamagedFileError] = []
    try:
        if what is None:
            _overview(store, preset, damaged)
        elif what in experiments.names() or any(what == name for name, _ in store.files()):
            _experiment(store, what, preset, damaged)
        else:
            record = _record(store, what, damaged)
            print(json.dumps(record.model_dump(mode="json"), indent=2, ensure_ascii=False))
    finally:
        for error in damaged:
            say(f"positions: {error}")
    if damaged:
        raise AlreadyToldError(1)


@app.command()
def verify() -> None:
    """Check every file; name damaged lines."""
    from positions.runs import Store
    from positions.runs import verify as check

    found = check(Store())
    for problem in found.problems:
        print(problem)
    print(
        f"{found.files} files, {found.records} records, {found.stale} of an older version, "
        f"{found.unclean} made by changed code, {len(found.problems)} problems."
    )
    if found.problems:
        raise AlreadyToldError(1)


@app.command()
def merge(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="Another results folder.")],
) -> None:
    """Take over what another results folder has more.

    Files of an experiment or a preset that there is not are left out.
    """
    from positions import experiments
    from positions.runs import Store

    def known(experiment: str, preset: str) -> bool:
        if experiment not in experiments.names():
            return False
        return preset in experiments.get(experiment).presets

    if not source.is_dir():
        raise InvalidValueError(f"{source} is no folder. Give another machine's results folder.")
    merged = Store().merge(source, known)
    print(f"{merged.added} runs added, {merged.already} were here already.")
    if merged.differing:
        print("Kept ours where the numbers differ: " + ", ".join(merged.differing))
    for path in merged.left_out:
        say(f"Left out {path}: there is no such experiment or preset. See `positions list`.")
    if merged.left_out:
        raise AlreadyToldError(1)


@app.command()
def rerun(
    experiment: Annotated[
        str | None, typer.Argument(metavar="[EXPERIMENT]", help="Nothing: every one recorded.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Only this preset.")] = None,
    sample: Annotated[int, typer.Option(min=1, help="How many runs of each.")] = 3,
    jobs: Annotated[int, typer.Option(min=0, help="Processes at once.")] = 1,
) -> None:
    """Run a sample again and compare the numbers.

    Nothing is written.
    """
    from positions import experiments
    from positions.runs import Store
    from positions.runs import rerun as again

    store = Store()
    files = _files(store, experiment, preset)
    if not files:
        raise InvalidValueError("No runs are recorded there. See `positions results show`.")
    for name, scale in files:
        found = again(experiments.get(name), store, scale, sample=sample, jobs=jobs)
        same = int((found["recorded"].eq(found["again"]) | found["recorded"].isna()).sum())
        print(f"{name} {scale}: {same} of {len(found)} numbers the same")
        apart = found[~(found["recorded"].eq(found["again"]) | found["recorded"].isna())]
        if len(apart):
            columns = ["key", "metric", "recorded", "again", "difference"]
            print(apart[columns].to_string(index=False))


def _whole(
    files: Iterable[tuple[str, str]],
    read: Callable[[str, str], list[Record]],
    damaged: list[DamagedFileError],
) -> Iterator[tuple[str, str, list[Record]]]:
    """Go through the records of files, and put aside what is wrong with the damaged ones."""
    for name, scale in files:
        try:
            records = read(name, scale)
        except DamagedFileError as error:
            damaged.append(error)
        else:
            yield name, scale, records


def _overview(store: Store, preset: str | None, damaged: list[DamagedFileError]) -> None:
    rows = []
    for name, scale, records in _whole(_files(store, None, preset), store.read, damaged):
        seconds = sum(record.provenance.seconds for record in records)
        last = max((record.provenance.started[:10] for record in records), default="")
        rows.append((name, scale, len(records), f"{seconds:.0f}", last))
    if not rows and not damaged:
        print(f"Nothing recorded in {store.folder}. Start with `positions sweep`.")
        return
    if rows:
        table([("experiment", "preset", "runs", "seconds", "last"), *rows], indent=0)


def _experiment(
    store: Store, name: str, preset: str | None, damaged: list[DamagedFileError]
) -> None:
    from positions.runs import summary

    files = _files(store, name, preset)
    if not files:
        print(f"Nothing recorded of {name}. Start with `positions sweep {name} --preset laptop`.")
    for _, scale, records in _whole(files, store.load, damaged):
        print(f"{name} {scale}: {summary(records)}")
        settings = {name: {str(each.config[name]) for each in records} for name in _names(records)}
        varied = [name for name, values in settings.items() if len(values) > 1]
        rows = [
            ["key", *varied, "first metrics"],
            *(
                [each.key, *(each.config[name] for name in varied), _first_metrics(each)]
                for each in records
            ),
        ]
        table(rows if records else [])


def _names(records: Sequence[Record]) -> list[str]:
    return list(records[0].config) if records else []


def _first_metrics(record: Record, count: int = 3) -> str:
    """Spell the first metrics in a line; `results show KEY` has all of them."""
    known = [(name, value) for name, value in record.metrics.items() if value is not None]
    more = f" and {len(known) - count} more" if len(known) > count else ""
    return ", ".join(f"{name} {value:.4g}" for name, value in known[:count]) + more


def _files(store: Store, name: str | None, preset: str | None) -> list[tuple[str, str]]:
    files = store.files()
    scales = {scale for _, scale in files}
    if preset is not None and files and preset not in scales:
        raise unknown_name("recorded preset", preset, scales)
    return [
        (experiment, scale)
        for experiment, scale in files
        if name in (None, experiment) and preset in (None, scale)
    ]


def _record(store: Store, key: str, damaged: list[DamagedFileError]) -> Record:
    """Return the record whose key starts so; raises where there is none or several."""
    whole = _whole(store.files(), store.read, damaged)
    everything = [record for _, _, records in whole for record in records]
    found = [record for record in everything if record.key.startswith(key)]
    if len(found) > 1:
        keys = ", ".join(record.key for record in found[:5])
        raise InvalidValueError(f"{len(found)} keys start with {key!r} ({keys} ...); give more.")
    if not found:
        from positions import experiments

        raise unknown_name("experiment or key", key, experiments.names())
    return found[0]
