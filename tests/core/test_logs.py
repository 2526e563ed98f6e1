"""Lines of the log, whatever stands in them."""

import io
import logging
from collections.abc import Iterator

import pytest

from core.observability import configure_logs


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What people read."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    configure_logs("console")
    [handler] = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    found = io.StringIO()
    handler.setStream(found)
    yield found
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.parametrize("mark", ["\n", "\r", "\x1b[2K", "\x85", "\u2028", "\u202e"])
def test_nobody_begins_a_line_of_their_own_or_turns_one_around(written: io.StringIO, mark: str) -> None:
    forged = f"/x{mark}2026-11-22T12:00:00Z [info] security: signed_in"
    logging.getLogger("api").warning("unhandled error at %s", forged, extra={"device": forged})
    [line] = written.getvalue().removesuffix("\n").splitlines()
    assert mark not in line
    assert "/x" in line


def test_a_defect_keeps_its_lines(written: io.StringIO) -> None:
    try:
        raise RuntimeError("it is broken")
    except RuntimeError:
        logging.getLogger("api").exception("unhandled error")
    assert len(written.getvalue().splitlines()) > 3
