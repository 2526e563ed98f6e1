"""Outcome of a run whose worker is killed or frozen, or which is cancelled, at each of its steps.

`python -m benchmarks.faults`: a run with an image on two accounts, and one that writes an article for a site, slowed
down so that the fault can hit each step, on the real Temporal server, PostgreSQL and sandbox. Kill: `kill -9` of the
worker, another one takes over. Freeze: SIGSTOP for 60 s while a second worker runs. Cancel: through Temporal, as an
operator does. Afterwards: at most one post and one delivery per account, and no open row. Takes about 45 minutes and
exits with 1 if a test fails.
"""

import sys

import pytest


def main() -> int:
    fixtures = ("-p", "tests.conftest", "-p", "tests.workflows.conftest")
    return int(pytest.main(["benchmarks/fault_scenarios.py", "-vs", *fixtures, *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
