"""What follows the publication of a post: its first comment, its removal there, the change of an article, and the post
that announces an article. The row that asks for one is written in the transaction of its cause; a workflow carries it
out."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from core.errors import ProviderError, RetrySafe


class FollowUpKind(StrEnum):
    first_comment = "first_comment"
    removal = "removal"
    revision = "revision"
    announcement = "announcement"


@dataclass(frozen=True)
class FollowUp:
    """One that is open. `id` is its delivery's; the one of an announcement is its own, which is at no `channel`."""

    kind: FollowUpKind
    user_id: UUID
    post_id: UUID
    id: UUID
    channel: str = ""
    address: str = ""
    """Of the page of the post or the article in the app, for operators."""


@dataclass(frozen=True)
class FollowUpOutcome:
    """What an attempt has left in the row: its state, and the error code where it was given up."""

    state: str
    reason: str = ""


GONE = FollowUpOutcome("gone")
"""The row went with its post or its user, or asks for nothing any more."""


def ensure_due(due_at: datetime, now: datetime) -> None:
    """Raises RetrySafe, to be retried when the attempt is due: an earlier one may still be under way, or the network
    has asked for a pause."""
    if due_at > now:
        raise RetrySafe(detail="not due yet", retry_after=due_at - now)


def next_attempt(error: ProviderError, pause: timedelta, now: datetime) -> datetime:
    """Return when to try again after `error`: after `pause`, or later where the network asks for it. The error is told,
    so that Temporal waits as long."""
    error.retry_after = max(pause, error.retry_after or timedelta(0))
    return now + error.retry_after
