"""Failed attempts, as steps and deliveries store them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

KEPT_FAILURES = 20


_LONGEST_DETAIL = 1000  # characters


def append_failure(
    failures: Sequence[dict[str, Any]], attempt: int, code: str, at: datetime, detail: str = ""
) -> list[dict[str, Any]]:
    """Return a new list with one failure more, limited to the newest `KEPT_FAILURES`. `detail`: the provider's message,
    without secrets."""
    details = {"detail": detail[:_LONGEST_DETAIL]} if detail else {}
    return [*failures, {"attempt": attempt, "code": code, "at": at.isoformat(), **details}][-KEPT_FAILURES:]


def close_failures(failures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the failures, which do not count against further attempts."""
    return [{**failure, "closed": True} for failure in failures]


def count_failures(failures: Sequence[dict[str, Any]], code: str) -> int:
    """Return how often an error has occurred since the failures were last closed."""
    return sum(failure["code"] == code and not failure.get("closed") for failure in failures)
