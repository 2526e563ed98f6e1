"""Deadlines of approvals, and what happens when they pass."""

from datetime import datetime, timedelta
from enum import StrEnum

LONGEST_VETO = 7 * 24 * 60  # minutes
# between the deadline and the earliest arming, so that nobody can decide while it is being published
_MARGIN = timedelta(seconds=15)
_REMINDED_BEFORE = timedelta(hours=1)
ON_REQUEST = timedelta(days=1)
"""Time to decide about a post that was requested by hand, and so has no slot ahead."""


class AtDeadline(StrEnum):
    """What happens to a post if nobody decides in time."""

    hold = "hold"
    """Keep it as a draft."""
    skip = "skip"
    publish = "publish"

    def without_publishing(self) -> "AtDeadline":
        """Return the same, but `hold` instead of `publish`."""
        return AtDeadline.hold if self is AtDeadline.publish else self


DEFAULT_AT_DEADLINE = AtDeadline.hold


class ApprovalState(StrEnum):
    waiting = "waiting"
    approved = "approved"
    declined = "declined"
    expired = "expired"
    withdrawn = "withdrawn"
    """Its run was cancelled, or ended otherwise."""
    rewritten = "rewritten"
    """The person asked for another text, which replaces this one once it is written."""


UNDECIDED = (ApprovalState.waiting, ApprovalState.rewritten)
"""States in which a person is asked, or will be asked again."""


def deadline_of(planned_at: datetime, arming: timedelta) -> datetime:
    """Return until when a person may decide. `arming`: how long before its time a delivery is armed at the earliest."""
    return planned_at - arming - _MARGIN


def planned_with_veto(planned_at: datetime, asked_at: datetime, veto: timedelta, arming: timedelta) -> datetime:
    """Return when a post is published that has to be shown for `veto` before: later than planned if it was made
    late."""
    return max(planned_at, asked_at + veto + arming + _MARGIN)


def reminder_at(asked_at: datetime, deadline: datetime) -> datetime | None:
    """Return an hour before the deadline, or None if the request itself is sent less than an hour before that."""
    at = deadline - _REMINDED_BEFORE
    return at if at - asked_at >= _REMINDED_BEFORE else None
