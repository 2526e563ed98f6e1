"""Mutation testing of the rules and the ledger: the share of mutations that the tests notice.

`python -m benchmarks.mutation [--keep FOLDER] [SET ...]`: in a copy of the project, mutmut makes one change at a time
in the rules (the set `rules`) and in the ledger of deliveries (the set `ledger`), and runs the tests that reach it.
Prints the share of noticed changes by file; exits with 1 if a set's share is below 85 %. Changes that no test reaches
count as unnoticed. Unnoticed changes are listed; `mutmut show NAME` in the kept folder shows one.

mutmut does not change code outside functions (enums, constants, tables of data), properties and other decorated
functions.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cli.postgres import EmbeddedPostgres
from core.database import migrate
from core.settings import ROOT

GOAL = 0.85
NOTICED = ("killed", "timeout", "caught by type check", "segfault")


@dataclass(frozen=True)
class Part:
    """Files to mutate, and the tests that should notice."""

    changed: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "rules": Part(
        ("core/*/rules.py", "core/*/rules/*"),
        tuple(sorted(str(rules.relative_to(ROOT)) for rules in (ROOT / "tests").glob("*/rules"))),
    ),
    "ledger": Part(
        (
            "core/deliveries/ledger.py",
            "core/deliveries/delivering.py",
            "core/deliveries/lookup.py",
            "core/deliveries/failed_attempts.py",
            "core/deliveries/staging.py",
            "core/deliveries/deadlines.py",
            "core/deliveries/answers.py",
        ),
        ("tests/deliveries/test_ledger.py", "tests/deliveries/test_delivering.py"),
    ),
}


def main() -> None:
    options = argparse.ArgumentParser(description="Mutation testing of the rules and the ledger")
    options.add_argument("sets", nargs="*", metavar="SET", help=f"set to test: {', '.join(PARTS)}; default: all")
    options.add_argument("--keep", type=Path, help="empty folder that keeps the copy, to inspect unnoticed changes")
    options.add_argument("--workers", type=int, default=2, help="parallel mutations")
    given = options.parse_args()
    if unknown := set(given.sets) - set(PARTS):
        options.error(f"no set {', '.join(sorted(unknown))}")
    passed = True
    with tempfile.TemporaryDirectory() as data:
        # one server for all mutations: starting one takes two seconds
        postgres = EmbeddedPostgres(Path(data), durable=False)
        os.environ["TEST_DATABASE_URL"] = postgres.start()
        try:
            migrate(os.environ["TEST_DATABASE_URL"])
            for name in given.sets or PARTS:
                with tempfile.TemporaryDirectory() as folder:
                    place = given.keep / name if given.keep else Path(folder)
                    passed &= _run_mutations(name, PARTS[name], place, given.workers)
        finally:
            postgres.stop()
    sys.exit(0 if passed else 1)


def _run_mutations(name: str, part: Part, place: Path, workers: int) -> bool:
    _copy_project(place)
    # a fresh worker per mutation: a cache filled by an earlier test would hide it
    config = {
        "source_paths": ["core"],
        "only_mutate": list(part.changed),
        "also_copy": [*sorted(entry.name for entry in place.iterdir() if entry.name not in ("core", "tests"))],
        "pytest_add_cli_args_test_selection": list(part.tests),
        "process_isolation": "forkserver",
    }
    with (place / "pyproject.toml").open("a") as file:
        file.write("\n[tool.mutmut]\n" + "".join(f"{key} = {value!r}\n" for key, value in config.items()))
    mutmut = str(Path(sys.executable).with_name("mutmut"))
    with (place / "mutmut.log").open("w") as log:
        ran = subprocess.run((mutmut, "run", "--max-children", str(workers)), cwd=place, stdout=log, stderr=log)
    results = subprocess.run((mutmut, "results", "--all", "true"), cwd=place, capture_output=True, text=True)
    found = [line.strip().rsplit(": ", 1) for line in results.stdout.splitlines() if "__mutmut_" in line]
    if ran.returncode or not found:
        _print((place / "mutmut.log").read_text()[-3000:])
        raise SystemExit(f"mutmut ended with {ran.returncode}")
    counted: dict[str, Counter[bool]] = {}
    left = []
    for change, outcome in found:
        noticed = outcome in NOTICED
        counted.setdefault(_file_of(change), Counter())[noticed] += 1
        if not noticed:
            left.append(f"  {outcome:10} {change}")
    total = sum(counted.values(), Counter[bool]())
    for changed, count in sorted(counted.items()):
        _print(f"{name:7} {changed:34} {count.total():5} changes  {count[True] / count.total():6.1%} noticed")
    share = total[True] / total.total()
    _print(f"{name:7} {'all':34} {total.total():5} changes  {share:6.1%} noticed (goal: {GOAL:.0%})")
    _print("\n".join(["not noticed:", *left]))
    return share >= GOAL


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _copy_project(place: Path) -> None:
    """Copy the working tree's version of the files in git, without frontend/."""
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--", ":!frontend"), cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            target = place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())


def _file_of(change: str) -> str:
    """Return a mutation's file: core/posts/rules/posts.py for `core.posts.rules.posts.x_status_of__mutmut_3`."""
    module = change.split(".x_")[0].split(".xǁ")[0]
    return module.replace(".", "/") + ".py"


if __name__ == "__main__":
    main()
