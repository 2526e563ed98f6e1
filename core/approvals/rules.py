"""When a person is asked about a post, and what becomes of it if they do not answer."""

from datetime import datetime, timedelta
from enum import StrEnum

LONGEST_VETO = 7 * 24 * 60  # minutes
# between the deadline and the earliest arming: nobody is told that they may still decide while it goes out
_MARGIN = timedelta(seconds=15)
_REMINDED_BEFORE = timedelta(hours=1)
ASKED_FOR = timedelta(days=1)
"""How long one may decide about a post that was asked for by hand, and has no slot to come."""


class AtDeadline(StrEnum):
    """What becomes of a post that nobody has decided about in time."""

    hold = "hold"
    skip = "skip"
    publish = "publish"

    def never_by_itself(self) -> "AtDeadline":
        """The same, but that nothing is published."""
        return AtDeadline.hold if self is AtDeadline.publish else self


class ApprovalState(StrEnum):
    waiting = "waiting"
    approved = "approved"
    declined = "declined"
    expired = "expired"
    withdrawn = "withdrawn"
    """Its run was cancelled, or ended otherwise."""
    rewritten = "rewritten"
    """They wanted another text, which takes its place once it is written."""


def deadline_of(planned_at: datetime, arming: timedelta) -> datetime:
    """Until when one may decide. `arming`: how long before its time a delivery is armed at the earliest."""
    return planned_at - arming - _MARGIN


def planned_with_veto(planned_at: datetime, asked_at: datetime, veto: timedelta, arming: timedelta) -> datetime:
    """When a post goes out that has to be shown for so long before: one that was made late waits."""
    return max(planned_at, asked_at + veto + arming + _MARGIN)


def reminder_at(asked_at: datetime, deadline: datetime) -> datetime | None:
    """An hour before the deadline; None where the mail that asks is hardly older than the reminder would be."""
    at = deadline - _REMINDED_BEFORE
    return at if at - asked_at >= _REMINDED_BEFORE else None
