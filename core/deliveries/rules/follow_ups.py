"""What can follow a publication: its first comment, its removal, the revision of an article, and the post that
announces an article. The row that requests one is written in the transaction of its cause; a workflow carries it
out."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from core.errors import ProviderError, RetrySafe


class FollowUpKind(StrEnum):
    first_comment = "first_comment"
    removal = "removal"
    revision = "revision"
    announcement = "announcement"


@dataclass(frozen=True)
class FollowUp:
    """An open follow-up. `id` is that of its delivery; of an announcement, which has no `channel`, its own."""

    kind: FollowUpKind
    user_id: UUID
    post_id: UUID
    id: UUID
    channel: str = ""
    address: str = ""
    """Web address of the post or article in the app, for operators."""


@dataclass(frozen=True)
class FollowUpOutcome:
    """The state of the row after an attempt, and the error code if it was given up."""

    state: str
    reason: str = ""


LEFT_TO_PERSON: Final = "left_to_person"
"""State of a first comment that the network does not take from the operator's app."""
GONE = FollowUpOutcome("gone")
"""The row was deleted with its post or user, or requests nothing any more."""


def ensure_due(due_at: datetime, now: datetime) -> None:
    """Raises RetrySafe until `due_at`: an earlier attempt may still be running, or the network asked for a pause."""
    if due_at > now:
        raise RetrySafe(detail="not due yet", retry_after=due_at - now)


def next_attempt(error: ProviderError, pause: timedelta, now: datetime) -> datetime:
    """Return when to retry after `error`: after `pause`, or later if the network asks for that. Sets
    `error.retry_after`, so that Temporal waits as long."""
    error.retry_after = max(pause, error.retry_after or timedelta(0))
    return now + error.retry_after
