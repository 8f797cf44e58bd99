"""The command `sweep`: run what the store lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from positions.cli.messages import AlreadyToldError, table
from positions.errors import InvalidValueError, unknown_name

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from positions.experiments import Config, Experiment


STOPPED, TERMINATED = 130, 143
"""The exit codes after Ctrl-C and SIGTERM, as shells have them."""

_LOWER = {"None": "none", "True": "true", "False": "false"}
"""The values that may be typed in either way."""


def sweep(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    preset: Annotated[str, typer.Option(help="The scale: smoke, laptop, gpu or paper.")],
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE[,VALUE...]", help="Only these settings; repeatable."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="How many seeds, instead of the preset's.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=0, help="Processes at once; default: one a GPU, else a core.")
    ] = None,
    per_gpu: Annotated[
        int | None, typer.Option(min=1, help="Processes that share a GPU, instead of --jobs.")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="Print a line for every finished run.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run, and how long it may take.")
    ] = False,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler to run on.")
    ] = None,
) -> None:
    """Run what is not yet recorded of an experiment.

    Once stopped, the same command goes on from there.
    """
    from positions import experiments
    from positions.runs import Store, cards, plan, run_missing
    from positions.runs.stopping import Terminated

    known = experiments.get(experiment)
    configs = choose(known, known.configs(preset), where or [], seeds)
    store = Store()
    gpus = cards.names()
    count = cards.jobs(per_gpu, jobs, gpus)
    if dry_run:
        _show(plan(known, configs, store, preset), max(count, 1))
        return
    try:
        with _engine(scheduler) as executor:
            report = run_missing(
                known, configs, store, preset, count, executor=executor, cards=gpus, each=each
            )
    except KeyboardInterrupt as stop:
        raise AlreadyToldError(TERMINATED if isinstance(stop, Terminated) else STOPPED) from None
    print(report)
    if report.failed:
        raise AlreadyToldError(1)


def choose(
    experiment: Experiment[Any],
    configs: Sequence[Config],
    where: Iterable[str],
    seeds: int | None,
) -> list[Config]:
    """Return the configs that all conditions hold for, each with that many seeds.

    A condition is `name=value,value`. More seeds than the preset has are counted on from its
    greatest. Raises `UnknownNameError` for an unknown setting, `InvalidValueError` for one that is
    named twice and for a condition that nothing fulfils.
    """
    chosen, conditions = list(configs), list(where)
    names = [condition.partition("=")[0] for condition in conditions]
    for name in names:
        if names.count(name) > 1:
            values = [each.partition("=")[2] for each in conditions if each.startswith(f"{name}=")]
            raise InvalidValueError(
                f"--where names {name} {names.count(name)} times. Join the values by commas: "
                f"--where {name}={','.join(values)}"
            )
    for condition in conditions:
        name, _, text = condition.partition("=")
        if name not in experiment.config.model_fields:
            raise unknown_name(
                f"setting of {experiment.name}:", name, experiment.config.model_fields
            )
        wanted = [_LOWER.get(value, value) for value in text.split(",")]
        found = {_text(config, name) for config in chosen}
        missing = [value for value in wanted if value not in found]
        if missing:
            raise InvalidValueError(
                f"No run has {name}={','.join(missing)}. There is: {', '.join(sorted(found))}."
            )
        chosen = [config for config in chosen if _text(config, name) in wanted]
    return chosen if seeds is None else _with_seeds(experiment, chosen, seeds)


def _with_seeds(experiment: Experiment[Any], configs: Sequence[Config], count: int) -> list[Config]:
    if "seed" not in experiment.config.model_fields:
        raise InvalidValueError(f"{experiment.name} has no setting `seed`; leave --seeds out.")
    have = sorted({config.canonical()["seed"] for config in configs})
    wanted = [*have, *range(have[-1] + 1, have[-1] + 1 + count)][:count] if have else []
    each = dict.fromkeys(_seeded(experiment, config, wanted[0]) for config in configs)
    return [_seeded(experiment, config, seed) for config in each for seed in wanted]


def _seeded(experiment: Experiment[Any], config: Config, seed: int) -> Config:
    changed: Config = experiment.config(**{**config.canonical(), "seed": seed})
    return changed


def _text(config: Config, name: str) -> str:
    """Return a setting as the user would type it."""
    value = config.canonical()[name]
    return _LOWER.get(str(value), str(value))


def _engine(scheduler: str | None) -> AbstractContextManager[Executor | None]:
    from positions.runs import engines

    return nullcontext() if scheduler is None else engines.dask(scheduler)


def _show(plan: Any, jobs: int) -> None:
    """Say what a sweep would do: counts, time, the settings that differ between runs."""
    print(f"{len(plan.missing)} runs to do, {plan.recorded} recorded already.")
    seconds = plan.seconds(jobs)
    if plan.missing and seconds is not None:
        print(f"About {seconds / 60:.0f} min with {jobs} at once, from the runs recorded so far.")
    for reason in dict.fromkeys(reason for _, reason in plan.not_at_hand):
        count = sum(reason == each for _, each in plan.not_at_hand)
        print(f"{count} can't run here: {reason}")
    settings = [config.canonical() for config in plan.missing]
    names = [
        name for name in (settings or [{}])[0] if len({str(each[name]) for each in settings}) > 1
    ]
    if names:
        table([names, *([each[name] for name in names] for each in settings)])
