"""How long tests wait."""

from typing import Final

PATIENCE: Final = 240.0
"""Seconds that a test waits for what comes at once on a quiet machine, and late on one that runs other tests. A test
that measures time asserts on times that were recorded."""
