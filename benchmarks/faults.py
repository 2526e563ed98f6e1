"""What a run comes to whose worker is killed, frozen or told to stop at each of its steps.

`python -m benchmarks.faults`: a run with an image on two accounts, and one that writes an article for a site, slowed
down so that each step can be met, on the real Temporal server, PostgreSQL and sandbox. Kill: `kill -9` of the worker,
another one takes over. Freeze: SIGSTOP for 60 s beside a second worker. Cancel: from Temporal's side, as an operator
does. Afterwards: at most one post and one delivery per account, and no row that is still open. It takes about 45
minutes and ends with 1 where one fails.
"""

import sys

import pytest


def main() -> int:
    fixtures = ("-p", "tests.conftest", "-p", "tests.workflows.conftest")
    return int(pytest.main(["benchmarks/fault_stories.py", "-vs", *fixtures, *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
