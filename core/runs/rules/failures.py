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
