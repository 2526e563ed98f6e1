"""Property tests are the same on every machine: no clock, no random seed, no file of earlier examples."""

import pytest
from hypothesis import settings

_EXAMPLES, _QUICKLY = 100, 25


def pytest_configure(config: pytest.Config) -> None:
    examples = _QUICKLY if config.getoption("--changed") else _EXAMPLES
    settings.register_profile("domain", derandomize=True, deadline=None, database=None, max_examples=examples)
    settings.load_profile("domain")
