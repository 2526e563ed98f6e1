"""What went wrong before it went right, as steps and deliveries keep it: a workflow's history is not for good."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

MOST_KEPT = 20


_LONGEST_DETAIL = 1000  # characters


def with_failure(
    failures: Sequence[dict[str, Any]], attempt: int, code: str, at: datetime, detail: str = ""
) -> list[dict[str, Any]]:
    """A new list with one more at its end, of which the newest `MOST_KEPT` stay. `detail`: what a provider said,
    without secrets."""
    said = {"detail": detail[:_LONGEST_DETAIL]} if detail else {}
    return [*failures, {"attempt": attempt, "code": code, "at": at.isoformat(), **said}][-MOST_KEPT:]
