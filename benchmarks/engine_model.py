"""Compare 500 assistants, with 30 random steps each, with a simple reference model.

`python -m benchmarks.engine_model`: 25 worlds of 20 assistants on PostgreSQL, Temporal's time-skipping server, the
sandbox and a model server, with random edits, switches, pauses, skips, manual runs, moved posts, outages and clock
changes. After each step rows, posts at the network and missed slots are compared. For a difference the steps before it
are printed, and how to repeat them: `--seed 7 --only 3`, and `--without 4,9` to leave steps out. Takes about an hour
and exits with 1 if an assistant differs.
"""

import sys

import pytest

WORLDS = 25


def main() -> int:
    story = ["tests/workflows/test_sequences.py", "-vs", "-n", "0", "--worlds", str(WORLDS)]
    return int(pytest.main([*story, *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
