"""How many changes of the rules the tests would notice: a mutation run over what must never be wrong.

`python -m benchmarks.mutation [--keep FOLDER] [SET ...]`: in a copy of the project, mutmut changes one thing at a time
in `core/domain` (the set `rules`) and in the ledger of deliveries (the set `ledger`), and runs the tests that reach it.
Told is the share of the changes that a test noticed, by file; ends with 1 where a set's share is below 85 %. Changes
that no test reaches count as unnoticed. Those that are left are listed; `mutmut show NAME` in the kept folder shows
one.

Not changed, by the tool's way of working: what stands outside of functions (enums, constants, tables of data),
properties and other decorated functions.
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

WANTED = 0.85
NOTICED = ("killed", "timeout", "caught by type check", "segfault")


@dataclass(frozen=True)
class Part:
    """Files that are changed, and the tests that have to notice."""

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
    options = argparse.ArgumentParser(description="Mutation run over the rules and the ledger")
    options.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(PARTS)}; all of them if none is named")
    options.add_argument("--keep", type=Path, help="an empty folder for the copy, to look at what was not noticed")
    options.add_argument("--workers", type=int, default=2)
    given = options.parse_args()
    if unknown := set(given.sets) - set(PARTS):
        options.error(f"no set {', '.join(sorted(unknown))}")
    good = True
    with tempfile.TemporaryDirectory() as data:
        # one for all changes: each would wait two seconds for its own
        postgres = EmbeddedPostgres(Path(data), durable=False)
        os.environ["TEST_DATABASE_URL"] = postgres.start()
        try:
            migrate(os.environ["TEST_DATABASE_URL"])
            for name in given.sets or PARTS:
                with tempfile.TemporaryDirectory() as folder:
                    place = given.keep / name if given.keep else Path(folder)
                    good &= _run(name, PARTS[name], place, given.workers)
        finally:
            postgres.stop()
    sys.exit(0 if good else 1)


def _run(name: str, part: Part, place: Path, workers: int) -> bool:
    _copy(place)
    # a worker of its own for each change, begun before any test has run: what a cache kept from an earlier test would
    # hide the change
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
        _say((place / "mutmut.log").read_text()[-3000:])
        raise SystemExit(f"mutmut ended with {ran.returncode}")
    counted: dict[str, Counter[bool]] = {}
    left = []
    for change, outcome in found:
        noticed = outcome in NOTICED
        counted.setdefault(_file(change), Counter())[noticed] += 1
        if not noticed:
            left.append(f"  {outcome:10} {change}")
    whole = sum(counted.values(), Counter[bool]())
    for changed, count in sorted(counted.items()):
        _say(f"{name:7} {changed:34} {count.total():5} changes  {count[True] / count.total():6.1%} noticed")
    share = whole[True] / whole.total()
    _say(f"{name:7} {'all':34} {whole.total():5} changes  {share:6.1%} noticed (wanted: {WANTED:.0%})")
    _say("\n".join(["not noticed:", *left]))
    return share >= WANTED


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _copy(place: Path) -> None:
    """What git has of the Python side, as it is in the working tree."""
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--", ":!frontend"), cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            target = place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())


def _file(change: str) -> str:
    """`core.posts.rules.posts.x_status_of__mutmut_3`: core/posts/rules/posts.py."""
    module = change.split(".x_")[0].split(".xǁ")[0]
    return module.replace(".", "/") + ".py"


if __name__ == "__main__":
    main()
