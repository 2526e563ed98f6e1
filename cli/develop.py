"""The Makefile's targets for developers: checks, tests, and what is generated."""

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
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from core.settings import ROOT

FRONTEND: Final = ROOT / "frontend"
_PYTHON: Final = (sys.executable, "-m")
_PARTS: Final = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
# the tests start dozens of processes: each would compile the project anew, as images for production wish it
_UNWANTED: Final = {"PYTHONDONTWRITEBYTECODE"}
_LAST_WORDS: Final = 30  # lines of a failed job that are told once more
# how pytest, Vitest, Playwright's reporter, ESLint and TypeScript name what failed
_FAILED: Final = re.compile(
    r"^(?:FAILED|ERROR) |^ *FAIL  |^\w+ after \d+ s: |^ +\d+:\d+ +error  |^\S+\(\d+,\d+\): error |^\S+:\d+: error: "
)
_COLOURS: Final = re.compile(r"\x1b\[[\d;]*m")
_NAMED: Final = 6  # of those in one job
# the first has no windows: the others draw them for nobody, for a third of what the tests of a page cost
_BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# no servers; of the API what was changed, if something was
_QUICK: Final = (
    *sorted(str(folder.relative_to(ROOT)) for folder in (ROOT / "tests").glob("*/rules")),
    "tests/core/test_clock.py",
    "tests/core/test_growth.py",
    "tests/core/test_ids.py",
    "tests/architecture",
    "tests/api/test_malformed.py::test_every_answer_is_as_the_document_says",
    "--changed",
)


@dataclass(frozen=True)
class Job:
    name: str
    command: tuple[str, ...]
    cwd: Path = ROOT


# not `lint-imports`: a program of the environment would find its packages before the project's
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
    """Do one target. Returns the exit code."""
    match target:
        case "lint":
            return _all([*_BACK_LINT, *_npm("api", "typecheck", "lint")])
        case "check":
            tests = Job("quick tests", (*_PYTHON, "pytest", "-q", *_QUICK))
            return in_lanes([*_BACK_LINT, tests], _npm("api", "typecheck", "lint:quick", "test:quick"))
        case "test":
            return _test(arguments)
        case "format":
            fixes = Job("ruff", (*_PYTHON, "ruff", "check", "--fix", "--select", "I", "."))
            return _all([fixes, Job("format", (*_PYTHON, "ruff", "format", "."))])
        case "openapi":
            return _all([Job("document", (*_PYTHON, "api.openapi")), *_npm("api")])
        case "migration":
            return _migration(" ".join(arguments))
        case "history":
            return _all([Job("histories", (*_PYTHON, "pytest", "tests/workflows", "--record-histories", *arguments))])
        case "samples":
            return _all([Job("samples", (*_PYTHON, "cli.samples", *arguments))])
        case "bench":
            lateness = Job("lateness", (*_PYTHON, "benchmarks.lateness", *arguments))
            engine = ("engine_model", "throughput", "sleeping", "herd", "idle")
            pages = ("lists", "post_list", "browser", "webhooks")
            names = ("first_load", "topics", "cards", "bodies", *pages, "mutation", *engine)
            others = [Job(name, (*_PYTHON, f"benchmarks.{name}")) for name in names]
            return _all([*others, lateness])
        case "faults":
            crashes = Job("crashes", (*_PYTHON, "benchmarks.crashes", *arguments))
            return _all([crashes, Job("stories", (*_PYTHON, "benchmarks.faults"))])
    sys.stderr.write(f"no target {target}\n")
    return 2


def _test(arguments: list[str]) -> int:
    """Every check and every test, browser tests included."""
    # brought first, with its progress in sight, so that no test waits for a download
    servers = [Job(f"{name} server", (*_PYTHON, f"temporal.{name}")) for name in ("server", "time_skipping")]
    servers.append(Job("stripe-mock", (*_PYTHON, "tests.billing.stripe_mock")))
    if (code := _all(servers, summary=False)) != 0:
        return code
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    # in parts, each with servers of its own, beside the browsers: three on two cores, since most of these tests wait
    # for something
    tests = Job("tests", (*_PYTHON, "pytest", *_PARTS, "--durations=30", *arguments))
    browsers = _npm("e2e")
    if browser:
        os.environ.setdefault("CHROMIUM_PATH", browser)
    elif FRONTEND.exists():
        browsers.insert(0, Job("browser", ("npx", "playwright", "install", "chromium"), FRONTEND))
    *rules, types = _BACK_LINT
    # browsers wait for servers, and would wait for nothing once the others are done: so from the beginning
    return in_lanes([*rules, tests], browsers, [*_npm("typecheck", "lint", "test"), types])


def _migration(title: str) -> int:
    """A new revision: what the models have and the migrations have not, seen on a database made for it."""
    from cli.postgres import EmbeddedPostgres
    from core.database import migrate

    if not title:
        sys.stderr.write('say what changes: make migration ARGS="add a column"\n')
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
class Done:
    name: str
    code: int
    seconds: float
    said: str


def _all(jobs: Iterable[Job], *, summary: bool = True) -> int:
    """Run all, also after a failure; then say how each went. Returns 1 when one failed."""
    done = [_shown(job) for job in jobs]
    return _told(done) if summary else _code(done)


def _shown(job: Job) -> Done:
    """Run it, with what it says on the screen as it says it."""
    print(_headline(job), flush=True)
    return _run(job, lambda said: print(said, end="", flush=True), colours=sys.stdout.isatty())


def in_lanes(main: Sequence[Job], *beside: Sequence[Job]) -> int:
    """Run the first lane's jobs one after the other; beside them the others', what each says shown when it is over.

    How each went is told at the end, with the last words of what failed. Returns 1 when one failed.
    """

    def drive(lane: Sequence[Job]) -> list[Done]:
        done = []
        for job in lane:
            done.append(_run(job, lambda said: None))
            print(f"\n{_headline(job)}\n{done[-1].said}", end="", flush=True)
        return done

    with ThreadPoolExecutor(len(beside) or 1) as threads:
        others = [threads.submit(drive, lane) for lane in beside]
        return _told([*map(_shown, main), *chain.from_iterable(other.result() for other in others)])


def _headline(job: Job) -> str:
    return f"— {job.name}: {' '.join(job.command)}"


def _run(job: Job, tell: Callable[[str], None], *, colours: bool = False) -> Done:
    began = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    if colours:  # the commands see a pipe where a terminal may be
        environment["FORCE_COLOR"] = "1"
    said = []
    with subprocess.Popen(
        job.command, cwd=job.cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert isinstance(process.stdout, io.BufferedReader)  # as asked for
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        while chunk := process.stdout.read1():  # what is there, not whole lines: dots are a progress
            said.append(decoder.decode(chunk))
            tell(said[-1])
    return Done(job.name, process.returncode, time.monotonic() - began, "".join(said))


def _told(done: Sequence[Done]) -> int:
    # lanes speak in turn: what failed may be far above
    for one in done:
        if one.code:
            print("\n".join(["", f"— {one.name} failed, it ended with:", *one.said.splitlines()[-_LAST_WORDS:]]))
    print()
    for one in done:
        print(f"{'✗' if one.code else '✓'} {one.name} {one.seconds:.1f} s")
        if one.code:
            print(*(f"    {line.strip()[:160]}\n" for line in _named(one.said)), sep="", end="")
    return _code(done)


def _named(said: str) -> list[str]:
    """What failed in it, where only the last lines of all that was said are kept somewhere."""
    lines = dict.fromkeys(line for line in _COLOURS.sub("", said).splitlines() if _FAILED.match(line))
    return list(lines)[:_NAMED]


def _code(done: Sequence[Done]) -> int:
    return 1 if any(one.code for one in done) else 0
