"""What follows the publication of a post: its first comment, its removal there, the change of an article, and the post
that announces an article. The row that asks for one is written in a transaction of its cause; a workflow carries it
out."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


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


@dataclass(frozen=True)
class FollowUpOutcome:
    """What an attempt has left in the row: its state, and the error code where it was given up."""

    state: str
    reason: str = ""


GONE = FollowUpOutcome("gone")
"""The row went with its post or its user, or asks for nothing any more."""
