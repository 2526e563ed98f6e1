"""The Makefile's targets for developers: checks, tests, and generated files."""

import codecs
import io
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from core.settings import ROOT

FRONTEND: Final = ROOT / "frontend"
_PYTHON: Final = (sys.executable, "-m")
_PARTS: Final = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
# production images set it; here each of the dozens of test processes would compile the project again
_UNWANTED: Final = {"PYTHONDONTWRITEBYTECODE"}
_LAST_LINES: Final = 30  # of a failed job, repeated at the end
# failure lines of pytest, Vitest, Playwright's reporter, ESLint and TypeScript
_FAILURE_LINE: Final = re.compile(
    r"^(?:FAILED|ERROR) |^ *FAIL  |^\w+ after \d+ s: |^ +\d+:\d+ +error  |^\S+\(\d+,\d+\): error |^\S+:\d+: error: "
)
_COLOURS: Final = re.compile(r"\x1b\[[\d;]*m")
_MAX_FAILURE_LINES: Final = 6  # shown per job
# the first is headless: the others draw windows that nobody sees, a third of the cost of a page's tests
_BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# tests without servers; of the API only the changed operations
_QUICK: Final = (
    *sorted(str(folder.relative_to(ROOT)) for folder in (ROOT / "tests").glob("*/rules")),
    "tests/core/test_clock.py",
    "tests/core/test_growth.py",
    "tests/core/test_ids.py",
    "tests/architecture",
    "--ignore=tests/architecture/test_migrations.py",
    "tests/api/test_malformed.py::test_every_answer_is_as_the_document_says",
    "--changed",
)


@dataclass(frozen=True)
class Job:
    name: str
    command: tuple[str, ...]
    cwd: Path = ROOT


# not `lint-imports`: a script of the environment finds the environment's packages before the project's
_IMPORTS = (sys.executable, "-c", "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())")
_BACK_LINT = (
    Job("ruff", (*_PYTHON, "ruff", "check", ".")),
    Job("format", (*_PYTHON, "ruff", "format", "--check", ".")),
    Job("imports", _IMPORTS),
    Job("types", (*_PYTHON, "mypy")),
)


def _npm(*scripts: str) -> list[Job]:
    return [Job(f"web app: {script}", ("npm", "run", script), FRONTEND) for script in scripts if FRONTEND.exists()]


def run_target(target: str, arguments: list[str]) -> int:
    """Run one target. Return the exit code."""
    match target:
        case "lint":
            return _run_all([*_BACK_LINT, *_npm("api", "typecheck", "lint")])
        case "check":
            tests = Job("quick tests", (*_PYTHON, "pytest", "-q", "-n", "2", *_QUICK))
            return in_lanes([*_BACK_LINT, tests], _npm("api", "typecheck", "lint:quick", "test:quick"))
        case "test":
            return _test(arguments)
        case "format":
            fixes = Job("ruff", (*_PYTHON, "ruff", "check", "--fix", "--select", "I", "."))
            return _run_all([fixes, Job("format", (*_PYTHON, "ruff", "format", "."))])
        case "openapi":
            return _run_all([Job("document", (*_PYTHON, "api.openapi")), *_npm("api")])
        case "migration":
            return _migration(" ".join(arguments))
        case "history":
            return _run_all(
                [Job("histories", (*_PYTHON, "pytest", "tests/workflows", "--record-histories", *arguments))]
            )
        case "samples":
            return _run_all([Job("samples", (*_PYTHON, "cli.samples", *arguments))])
        case "evaluate":
            return _run_all([Job("evaluation", (*_PYTHON, "evaluation", *arguments))])
        case "bench":
            lateness = Job("lateness", (*_PYTHON, "benchmarks.lateness", *arguments))
            engine = ("engine_model", "throughput", "sleeping", "herd", "idle")
            pages = ("lists", "post_list", "browser", "webhooks")
            names = ("first_load", "topics", "cards", "bodies", *pages, "mutation", *engine)
            others = [Job(name, (*_PYTHON, f"benchmarks.{name}")) for name in names]
            return _run_all([*others, lateness])
        case "bench-cluster":
            return _run_all([Job("cluster", (*_PYTHON, "benchmarks.cluster", *arguments))])
        case "containers":
            os.environ.setdefault("PYTHON", sys.executable)
            return _run_all([Job("containers", ("sh", "docker/check.sh", *arguments))])
        case "faults":
            crashes = Job("crashes", (*_PYTHON, "benchmarks.crashes", *arguments))
            return _run_all([crashes, Job("stories", (*_PYTHON, "benchmarks.faults"))])
    sys.stderr.write(f"no target {target}\n")
    return 2


def _test(arguments: list[str]) -> int:
    """Run every check and every test, browser tests included."""
    # download the servers first, with visible progress, so that no test waits for a download
    servers = [Job(f"{name} server", (*_PYTHON, f"temporal.{name}")) for name in ("server", "time_skipping")]
    servers.append(Job("stripe-mock", (*_PYTHON, "tests.billing.stripe_mock")))
    if (code := _run_all(servers, summary=False)) != 0:
        return code
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    # three workers on two cores, each with its own servers: most tests wait for I/O
    # reports without the source around a line: Python before 3.11.8 can't always parse it while threads run
    # (gh-106905), which ended all tests
    shown = ("--tb=native", "--durations=30")
    tests = Job("tests", (*_PYTHON, "pytest", *_PARTS, *shown, *arguments))
    browsers = _npm("e2e")
    if browser:
        os.environ.setdefault("CHROMIUM_PATH", browser)
    elif FRONTEND.exists():
        browsers.insert(0, Job("browser", ("npx", "playwright", "install", "chromium"), FRONTEND))
    *rules, types = _BACK_LINT
    # one job of the web app at a time: more would take as long together, and slow down what tests wait for
    return in_lanes([*rules, tests], [*_npm("typecheck", "lint"), types, *browsers, *_npm("test")])


def _migration(title: str) -> int:
    """Make a revision of what the models have and the migrations lack, compared on a temporary database."""
    from cli.postgres import EmbeddedPostgres
    from core.database import migrate

    if not title:
        sys.stderr.write('the title is missing: make migration ARGS="add a column"\n')
        return 2
    with TemporaryDirectory() as folder:
        server = EmbeddedPostgres(Path(folder), durable=False)
        os.environ["DATABASE_URL"] = server.start()
        try:
            migrate(os.environ["DATABASE_URL"])
            revision = (*_PYTHON, "alembic", "revision", "--autogenerate", "-m", title)
            return subprocess.run(revision, cwd=ROOT).returncode
        finally:
            server.stop()


@dataclass(frozen=True)
class JobResult:
    name: str
    code: int
    seconds: float
    output: str


def _run_all(jobs: Iterable[Job], *, summary: bool = True) -> int:
    """Run all jobs, also after a failure, and print each result. Return 1 if one failed."""
    results = [_run_shown(job) for job in jobs]
    return _print_summary(results) if summary else _exit_code(results)


def _run_shown(job: Job) -> JobResult:
    """Run the job and print its output as it comes."""
    print(_headline(job), flush=True)
    return _run(job, lambda text: print(text, end="", flush=True), colours=sys.stdout.isatty())


def in_lanes(main: Sequence[Job], beside: Sequence[Job]) -> int:
    """Run the jobs of the main lane in order and the other lane beside it, whose output is printed per finished job.

    Print each result at the end, with the last lines of failed jobs. Return 1 if one failed.
    """

    def drive() -> list[JobResult]:
        results = []
        for job in beside:
            results.append(_run(job, lambda _: None))
            print(f"\n{_headline(job)}\n{results[-1].output}", end="", flush=True)
        return results

    with ThreadPoolExecutor(1) as threads:
        others = threads.submit(drive)
        return _print_summary([*map(_run_shown, main), *others.result()])


def _headline(job: Job) -> str:
    return f"— {job.name}: {' '.join(job.command)}"


def _run(job: Job, write: Callable[[str], None], *, colours: bool = False) -> JobResult:
    """Run the job and pass its output to `write` as it comes."""
    began = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    if colours:  # the commands write to a pipe even if there is a terminal
        environment["FORCE_COLOR"] = "1"
    output = []
    with subprocess.Popen(
        job.command, cwd=job.cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert isinstance(process.stdout, io.BufferedReader)  # by stdout=PIPE
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        while chunk := process.stdout.read1():  # partial lines too: pytest's dots show progress
            output.append(decoder.decode(chunk))
            write(output[-1])
    return JobResult(job.name, process.returncode, time.monotonic() - began, "".join(output))


def _print_summary(results: Sequence[JobResult]) -> int:
    """Print the results and the last lines of failed jobs. Return the exit code."""
    # the output of the lanes alternates: a failure may be far above
    for job in results:
        if job.code:
            print("\n".join(["", f"— {job.name} failed, it ended with:", *job.output.splitlines()[-_LAST_LINES:]]))
    print()
    for job in results:
        print(f"{'✗' if job.code else '✓'} {job.name} {job.seconds:.1f} s")
        if job.code:
            print(*(f"    {line.strip()[:160]}\n" for line in _find_failure_lines(job.output)), sep="", end="")
    return _exit_code(results)


def _find_failure_lines(output: str) -> list[str]:
    """Return the first lines that name failures, for logs that keep only the end of the output."""
    lines = dict.fromkeys(line for line in _COLOURS.sub("", output).splitlines() if _FAILURE_LINE.match(line))
    return list(lines)[:_MAX_FAILURE_LINES]


def _exit_code(results: Sequence[JobResult]) -> int:
    return 1 if any(result.code for result in results) else 0
