"""The command line: what it prints, how it fails, with which exit code."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from pydantic import Field

from positions import cli, experiments
from positions.book import edition, readme
from positions.cli.sweep import choose
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import Config, Experiment, Outcome
from positions.runs import Store


class Run:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def positions(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    monkeypatch.delenv("POSITIONS_TRACEBACK", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(project.parent))  # rescued records land there

    def call(*arguments: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["positions", *arguments])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        return Run(code, *capsys.readouterr())

    return call


class Squares(Config):
    """An experiment small enough to see through."""

    encoding: str = "nope"
    seed: int = Field(0, ge=0)
    causal: bool = True
    limit: int | None = None


def square(config: Squares) -> Outcome:
    if config.encoding == "broken":
        raise ValueError("no luck")
    return Outcome(metrics={"square": float(config.seed**2)})


def grid() -> list[Squares]:
    return [Squares(encoding=name, seed=seed) for name in ("nope", "t5") for seed in (0, 1)]


SQUARES = Experiment(
    name="squares",
    version=1,
    title="Squares of seeds",
    config=Squares,
    run=square,
    presets={"smoke": grid, "laptop": lambda: [*grid(), Squares(encoding="broken")]},
)


@pytest.fixture
def squares(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    monkeypatch.setattr(experiments, "names", lambda: ["squares"])
    monkeypatch.setattr(experiments, "get", lambda name: SQUARES)
    return SQUARES


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


def test_help_names_every_command_without_heavy_imports() -> None:
    code = "import sys\nfrom positions import cli\nsys.argv = ['positions', '--help']\n"
    code += "try: cli.main()\nexcept SystemExit: pass\n"
    code += "heavy = {'torch', 'pandas', 'numpy', 'altair', 'papermill', 'sphinx', 'IPython'}\n"
    code += "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("list", "run", "book", "serve", "fork", "data", "sweep", "results"):
        assert f"\n  {name} " in done.stdout


def test_list_shows_what_there_is(positions, squares: Experiment) -> None:
    found = positions("list")
    assert found.code == 0
    for text in ("sample", "preset, encodings, seeds, scale", "Squares of seeds", "rotary", "gpt2"):
        assert text in found.out


def test_list_goes_on_past_a_damaged_file(positions, squares: Experiment, project: Path) -> None:
    damaged = Store().path(squares.name, "smoke")
    damaged.parent.mkdir(parents=True, exist_ok=True)
    damaged.write_text("half a rec")
    found = positions("list")
    assert found.code == 0
    assert re.search(r"smoke +damaged: see `positions results verify`", found.out)
    assert "gpt2" in found.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "smaple"], "Unknown chapter 'smaple'. Did you mean 'sample'? Valid: sample."),
        (["run", "sample", "--preset", "lapdog"], "Did you mean 'laptop'?"),
        (["run", "sample", "-p", "seed", "3"], "Did you mean 'seeds'? Valid: encodings, preset"),
        (["run", "sample", "-p", "seeds"], "-p takes a name and a value, not 'seeds'"),
        (
            ["run", "sample", "-p", "seeds", "None"],
            "seeds takes a whole number such as 2, not None.",
        ),
        (["run", "sample", "-p", "seeds", "x"], "seeds takes a whole number such as 2, not 'x'."),
        (["run", "sample", "-p", "encodings=nop"], "Unknown encoding 'nop'."),
        (
            ["run", "sample", "--preset", "smoke", "-p", "preset", "zz"],
            "--preset smoke and -p preset zz both give the preset; leave one out.",
        ),
        (["book", "--preset", "tiny"], "Unknown preset 'tiny'."),
        (["fork", "sample", "plain"], "exists already. Choose another name."),
        (["serve"], "Build it first: positions book"),
        (["sweep", "nothing", "--preset", "smoke"], "Unknown experiment 'nothing'."),
        (["results", "show", "nothing"], "Unknown experiment or key 'nothing'."),
        (["results", "merge", "nowhere"], "nowhere is no folder."),
        (["results", "rerun"], "No runs are recorded there."),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    positions, project: Path, arguments: list[str], message: str
) -> None:
    found = positions(*arguments)
    assert found.code == 2
    assert message in one_line(found.err)
    assert found.out == ""
    assert not (project / "_build").exists()


def test_data_folder_that_is_none_is_told(positions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSITIONS_DATA", "/nowhere")
    for arguments in (["data"], ["run", "sample"], ["book"]):
        found = positions(*arguments)
        assert found.code == 2
        assert "POSITIONS_DATA is '/nowhere', and there is no such folder." in one_line(found.err)


def test_data_says_what_is_at_hand(positions, data_folder: Path) -> None:
    found = positions("data")
    assert found.code == 0
    assert f"Data folder: {data_folder}" in found.out
    assert str(data_folder / "scan") in found.out


def test_run_takes_parameters_as_papermill_does(positions, project: Path) -> None:
    found = positions("run", "sample", "-p", "seeds", "7", "-p", "encodings=t5", "--preset", "gpu")
    assert found.code == 0, found.err
    path = project / "_build" / "executed" / "sample.ipynb"
    assert found.out == f"{path}\n"
    cells = nbformat.read(path, as_version=4).cells
    injected = next(c.source for c in cells if "injected-parameters" in c.metadata.get("tags", []))
    assert {"seeds = 7", 'encodings = ["t5"]', 'preset = "gpu"'} <= set(injected.splitlines())


def test_a_failed_chapter_is_exit_code_1(positions, project: Path) -> None:
    path = project / "chapters" / "sample.ipynb"
    path.write_text(path.read_text().replace("charts.enable()", "charts.enable(1)"))
    found = positions("run", "sample")
    assert found.code == 1
    assert "Chapter sample failed in cell 3 of 8" in found.err
    assert "TypeError" in found.err
    assert "Traceback" not in found.err


def test_traceback_on_request(positions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSITIONS_TRACEBACK", "1")
    with pytest.raises(UnknownNameError):
        positions("run", "smaple")


def test_fork_lists_the_copy(positions, project: Path) -> None:
    found = positions("fork", "sample", "own")
    assert (found.code, found.out) == (0, f"{project / 'chapters' / 'own.ipynb'}\n")
    assert "chapters/own" in (project / "_toc.yml").read_text()


def test_archive_packs_the_site_that_is_there(positions, project: Path) -> None:
    missing = positions("archive")
    assert (missing.code, missing.out) == (2, "")
    assert "Build it first: positions book" in missing.err
    site = project / "_build" / "html"
    site.mkdir(parents=True)
    (site / "index.html").write_text("<p>start")
    edition.write(site, edition.of(project))
    packed = positions("archive")
    assert (packed.code, packed.out) == (0, f"{project / '_build' / 'positions-book.zip'}\n")
    assert "--force replaces it" in positions("archive").err
    assert positions("archive", "--force").code == 0


def test_readme_takes_the_findings_between_its_markers(positions, project: Path) -> None:
    assert "There is no" in positions("readme").err
    path = project / "README.md"
    path.write_text(f"# Book\n{readme.START}\n{readme.END}\n")
    assert positions("readme").out == "README.md: findings written.\n"
    assert "| Kazemnejad et al. 2023 |" in path.read_text()
    assert positions("readme").out == "README.md: nothing has changed.\n"


def test_sweep_runs_what_is_missing_and_results_show_it(
    positions, project: Path, squares: Experiment
) -> None:
    plan = positions("sweep", "squares", "--preset", "smoke", "--dry-run")
    assert "4 runs to do, 0 recorded already." in plan.out
    assert not (project / "results").exists()
    first = positions("sweep", "squares", "--preset", "smoke", "--jobs", "0", "--where", "seed=1")
    assert "2 runs recorded now, 0 recorded before." in first.out
    again = positions("sweep", "squares", "--preset", "smoke", "--jobs", "0")
    assert "2 runs recorded now, 2 recorded before." in again.out
    assert "squares" in positions("results", "show").out
    assert "square" in positions("results", "show", "squares").out
    key = Store().load(squares, "smoke")[0].key
    assert f'"key": "{key}"' in positions("results", "show", key[:8]).out
    assert "4 records" in positions("results", "verify").out
    assert (
        "4 of 4 numbers the same"
        in positions("results", "rerun", "--sample", "4", "--jobs", "0").out
    )


def test_a_run_that_fails_costs_only_itself_and_the_exit_code(
    positions, squares: Experiment
) -> None:
    found = positions("sweep", "squares", "--preset", "laptop", "--jobs", "0")
    assert found.code == 1
    assert "4 runs recorded now" in found.out
    assert "Failed: ValueError: no luck" in found.out


def test_a_sweep_that_is_terminated_says_what_is_kept(
    positions, squares: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def terminated(config: Squares) -> Outcome:
        if config.seed == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return square(config)

    monkeypatch.setattr(experiments, "get", lambda name: replace(SQUARES, run=terminated))
    found = positions("sweep", "squares", "--preset", "smoke", "--jobs", "0")
    assert found.code == 143
    assert "Stopped: 1 of 4 runs recorded." in found.err
    assert "Traceback" not in found.err


def test_damaged_results_are_found(positions, project: Path, squares: Experiment) -> None:
    positions("sweep", "squares", "--preset", "smoke", "--jobs", "0")
    path = project / "results" / "squares" / "smoke.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    found = positions("results", "verify")
    assert found.code == 1
    assert "smoke.jsonl, line 4" in found.out


def test_show_goes_on_past_a_damaged_file_and_names_it(
    positions, project: Path, squares: Experiment
) -> None:
    for preset in ("smoke", "laptop"):
        positions("sweep", "squares", "--preset", preset, "--jobs", "0")
    path = project / "results" / "squares" / "laptop.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    key = Store(project / "results").read("squares", "smoke")[0].key
    for arguments, shown in (
        ([], "squares     smoke"),
        (["squares"], "squares smoke: 4"),
        ([key], key),
    ):
        found = positions("results", "show", *arguments)
        assert found.code == 1
        assert shown in found.out
        assert "laptop.jsonl, line 4 is cut off" in one_line(found.err)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_results_that_cannot_be_written_are_not_lost(
    positions, project: Path, squares: Experiment
) -> None:
    (project / "results").mkdir(mode=0o555)
    found = positions("sweep", "squares", "--preset", "smoke", "--jobs", "0")
    assert found.code == 2
    assert "are not lost" in found.err


def test_a_file_where_results_belong_loses_nothing(
    positions, project: Path, squares: Experiment
) -> None:
    (project / "results").write_text("in the way")
    found = positions("sweep", "squares", "--preset", "smoke", "--jobs", "0")
    assert found.code == 2
    assert "Traceback" not in found.err
    assert (project / "results").read_text() == "in the way"


def test_merge_takes_over_what_is_new(
    positions, project: Path, tmp_path: Path, squares: Experiment
) -> None:
    positions("sweep", "squares", "--preset", "smoke", "--jobs", "0", "--where", "encoding=t5")
    (project / "results").rename(tmp_path / "other")
    positions("sweep", "squares", "--preset", "smoke", "--jobs", "0", "--where", "seed=0")
    found = positions("results", "merge", str(tmp_path / "other"))
    assert "1 runs added, 1 were here already." in found.out


def test_merge_leaves_out_what_it_does_not_know_and_says_so(
    positions, project: Path, tmp_path: Path, squares: Experiment
) -> None:
    positions("sweep", "squares", "--preset", "smoke", "--jobs", "0")
    (project / "results").rename(tmp_path / "other")
    known = tmp_path / "other" / "squares" / "smoke.jsonl"
    strange = known.parents[1] / "cubes" / "smoke.jsonl"
    strange.parent.mkdir()
    strange.write_text(known.read_text())
    odd = known.with_name("huge.jsonl")
    odd.write_text(known.read_text())
    found = positions("results", "merge", str(tmp_path / "other"))
    assert found.code == 1
    assert "4 runs added, 0 were here already." in found.out
    assert [line.split(":")[0] for line in found.err.splitlines()] == [
        f"Left out {strange}",
        f"Left out {odd}",
    ]
    assert Store(project / "results").files() == [("squares", "smoke")]


def test_conditions_choose_configs() -> None:
    chosen = choose(SQUARES, grid(), ["encoding=t5", "seed=0,1", "causal=true"], None)
    assert chosen == [Squares(encoding="t5", seed=0), Squares(encoding="t5", seed=1)]


@pytest.mark.parametrize("typed", ["None", "none"])
def test_a_condition_takes_an_empty_value_as_it_is_printed(typed: str) -> None:
    configs = [Squares(), Squares(limit=3)]
    assert choose(SQUARES, configs, [f"limit={typed}", "causal=True"], None) == configs[:1]
    assert choose(SQUARES, configs, [f"limit={typed},3"], None) == configs


@pytest.mark.parametrize(("count", "seeds"), [(1, [0]), (2, [0, 1]), (4, [0, 1, 2, 3])])
def test_seeds_are_cut_or_counted_on(count: int, seeds: list[int]) -> None:
    chosen = choose(SQUARES, grid(), ["encoding=nope"], count)
    assert chosen == [Squares(encoding="nope", seed=seed) for seed in seeds]


def test_conditions_that_nothing_fulfils_list_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'encoding'"):
        choose(SQUARES, grid(), ["encodings=t5"], None)
    with pytest.raises(InvalidValueError, match=r"commas: --where seed=0,1$"):
        choose(SQUARES, grid(), ["seed=0", "encoding=t5", "seed=1"], None)
    with pytest.raises(InvalidValueError, match=r"No run has encoding=t6. There is: nope, t5."):
        choose(SQUARES, grid(), ["encoding=t6,t5"], None)


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from positions.cli import main; main()", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_serve_answers_on_this_machine_until_it_is_stopped(project: Path) -> None:
    site = project / "_build" / "html"
    site.mkdir(parents=True)
    (site / "index.html").write_text("hello")
    server = start("serve", "--port", "0", "--no-open")
    try:
        address = server.stdout.readline().split()[0]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == b"hello"
        taken = start("serve", "--no-open", "--port", address.rstrip("/").rsplit(":")[-1])
        assert "can't be used" in one_line(taken.communicate()[1])
        assert taken.returncode == 2
    finally:
        server.send_signal(signal.SIGINT)
    assert server.communicate(timeout=20)[1] == "Stopped.\n"
    assert server.returncode == 130


def test_stopping_a_chapter_keeps_the_last_output(project: Path) -> None:
    path = project / "chapters" / "slow.ipynb"
    flag = project / "running"
    code = f"import time, pathlib\npathlib.Path({str(flag)!r}).touch()\ntime.sleep(600)"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), path)
    executed = project / "_build" / "executed"
    executed.mkdir(parents=True)
    (executed / "slow.ipynb").write_text("good")
    run = start("run", "slow")
    while not flag.exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    assert "Stopped." in run.communicate(timeout=60)[1]
    assert run.returncode == 130
    assert [p.name for p in executed.iterdir()] == ["slow.ipynb"]
    assert (executed / "slow.ipynb").read_text() == "good"
