"""500 random lives of assistants, thirty steps each, against a plain reference.

`python -m benchmarks.engine_model`: 25 worlds of twenty assistants on PostgreSQL, Temporal's time-skipping server, the
sandbox and a model server, in which edits, switches, pauses, skips, runs by hand, moved posts, outages and changes of
clocks follow each other as chance has it. After each step rows, posts at the network and missed slots are compared.
What differs is told as the steps that led to it, with what it takes to see them again: `--seed 7 --only 3`, and
`--without 4,9` to leave steps out. It takes about an hour and ends with 1 where one differs.
"""

import sys

import pytest

WORLDS = 25


def main() -> int:
    story = ["tests/workflows/test_sequences.py", "-vs", "-n", "0", "--worlds", str(WORLDS)]
    return int(pytest.main([*story, *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
