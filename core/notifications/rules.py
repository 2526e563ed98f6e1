"""Kinds of notifications, how they are sent, and when the daily overview is due."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo


class NotificationKind(StrEnum):
    """What a person should look at. The bell shows all kinds."""

    approval_needed = "approval_needed"
    post_failed = "post_failed"
    post_waits = "post_waits"
    """It is published later by itself: its network accepts nothing for now, or this server's settings have to be
    fixed."""
    run_failed = "run_failed"
    """It failed before there was a post."""
    post_unknown = "post_unknown"
    account_expires = "account_expires"
    """Its access ends soon, and cannot be renewed without a person."""
    account_reconnect = "account_reconnect"
    removal_failed = "removal_failed"
    """A network did not delete the post."""
    update_failed = "update_failed"
    """A site did not accept the changes of an article."""
    takedown_failed = "takedown_failed"
    """A site did not delete an article."""
    comment_failed = "comment_failed"
    """A first comment failed or is unknown."""
    announcement_ready = "announcement_ready"
    """A draft that announces an article has to be reviewed."""
    announcement_failed = "announcement_failed"
    """An article could not be announced."""
    assistant_paused_itself = "assistant_paused_itself"
    planning_failed = "planning_failed"
    budget_reached = "budget_reached"
    trial_ending = "trial_ending"
    payment_failed = "payment_failed"
    subscription_ended = "subscription_ended"
    """Its features are off, and the assistants are paused."""
    allowance_reached = "allowance_reached"
    """The monthly limit of posts or spending is reached."""
    email_refused = "email_refused"
    """The mail server refuses the user's address, so only the bell can notify."""


class MailTopic(StrEnum):
    """Topics of mails whose timing a user can set."""

    approval = "approval"
    failed = "failed"
    unknown = "unknown"
    reconnect = "reconnect"
    self_paused = "self_paused"
    budget = "budget"
    subscription = "subscription"
    overview = "overview"
    """Content of the daily overview: `daily` everything, `never` only what other topics add."""


TOPICS: Final[Mapping[NotificationKind, MailTopic]] = {
    NotificationKind.approval_needed: MailTopic.approval,
    NotificationKind.post_failed: MailTopic.failed,
    NotificationKind.post_waits: MailTopic.failed,
    NotificationKind.run_failed: MailTopic.failed,
    NotificationKind.removal_failed: MailTopic.failed,
    NotificationKind.update_failed: MailTopic.failed,
    NotificationKind.takedown_failed: MailTopic.failed,
    NotificationKind.comment_failed: MailTopic.failed,
    NotificationKind.planning_failed: MailTopic.failed,
    NotificationKind.announcement_ready: MailTopic.approval,
    NotificationKind.announcement_failed: MailTopic.failed,
    NotificationKind.post_unknown: MailTopic.unknown,
    NotificationKind.account_expires: MailTopic.reconnect,
    NotificationKind.account_reconnect: MailTopic.reconnect,
    NotificationKind.assistant_paused_itself: MailTopic.self_paused,
    NotificationKind.budget_reached: MailTopic.budget,
    NotificationKind.trial_ending: MailTopic.subscription,
    NotificationKind.payment_failed: MailTopic.subscription,
    NotificationKind.subscription_ended: MailTopic.subscription,
    NotificationKind.allowance_reached: MailTopic.subscription,
}
"""Other kinds are only shown by the bell."""


class MailTiming(StrEnum):
    """When a mail is sent."""

    at_once = "at_once"
    daily = "daily"
    """Counted in the next daily overview."""
    never = "never"


DEFAULTS: Final[Mapping[MailTopic, MailTiming]] = {
    **dict.fromkeys(MailTopic, MailTiming.at_once),
    # mails at once make the overview redundant
    MailTopic.overview: MailTiming.never,
}
"""Timings of users without settings."""

RETENTION: Final = timedelta(days=90)
"""How long notifications are kept, read or not."""

MORNING: Final = time(8)


def is_valid_timing(topic: MailTopic, timing: MailTiming) -> bool:
    """Return False for an overview at once."""
    return topic is not MailTopic.overview or timing is not MailTiming.at_once


def latest_morning(now: datetime, zone: str) -> datetime | None:
    """Return eight o'clock of the current day in the time zone, or None before that: what came before it belongs to the
    overview of this day."""
    there = ZoneInfo(zone)
    eight = datetime.combine(now.astimezone(there).date(), MORNING, there)
    return eight if now >= eight else None
