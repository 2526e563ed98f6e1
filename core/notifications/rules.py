"""What a user is told of, by which way, and when the overview of a day is due."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo


class NotificationKind(StrEnum):
    """What a person should look at. The bell shows all of them."""

    approval_needed = "approval_needed"
    post_failed = "post_failed"
    post_waits = "post_waits"
    """It goes out later by itself: its network takes nothing for now, or this server's settings have to be mended."""
    run_failed = "run_failed"
    """It failed before there was a post."""
    post_unknown = "post_unknown"
    account_expires = "account_expires"
    """Its access ends soon, and cannot be renewed without a person."""
    account_reconnect = "account_reconnect"
    removal_failed = "removal_failed"
    """A network did not delete it."""
    update_failed = "update_failed"
    """A site did not take what was changed of an article."""
    takedown_failed = "takedown_failed"
    """A site still shows an article that was to be taken down."""
    comment_failed = "comment_failed"
    """A first comment is not there, or nobody knows."""
    announcement_ready = "announcement_ready"
    """A draft that announces an article is to be looked at."""
    announcement_failed = "announcement_failed"
    """An article could not be announced."""
    assistant_paused_itself = "assistant_paused_itself"
    planning_failed = "planning_failed"
    budget_reached = "budget_reached"
    trial_ending = "trial_ending"
    payment_failed = "payment_failed"
    subscription_ended = "subscription_ended"
    """Nothing that it unlocked is had any more, and the assistants pause."""
    allowance_reached = "allowance_reached"
    """What may be published or spent in a month is."""
    email_refused = "email_refused"
    """The mail server takes nothing for the user's address: the bell alone can tell."""


class MailTopic(StrEnum):
    """What a user chooses the way of."""

    approval = "approval"
    failed = "failed"
    unknown = "unknown"
    reconnect = "reconnect"
    self_paused = "self_paused"
    budget = "budget"
    subscription = "subscription"
    overview = "overview"
    """What the mail of the morning counts: `daily` everything, `never` what another topic has put into it."""


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
"""What is not among them is told by the bell alone."""


class MailTiming(StrEnum):
    """When a mail tells of it."""

    at_once = "at_once"
    daily = "daily"
    """Counted in the mail of the next morning."""
    never = "never"


DEFAULTS: Final[Mapping[MailTopic, MailTiming]] = {
    **dict.fromkeys(MailTopic, MailTiming.at_once),
    # who hears of each thing at once does not need to hear of it again
    MailTopic.overview: MailTiming.never,
}
"""What applies to whoever has chosen nothing."""

KEPT: Final = timedelta(days=90)
"""How long what somebody was told of stays in the list, read or not."""

MORNING: Final = time(8)


def fits(topic: MailTopic, timing: MailTiming) -> bool:
    """An overview at once would be no overview."""
    return topic is not MailTopic.overview or timing is not MailTiming.at_once


def morning(now: datetime, zone: str) -> datetime | None:
    """Eight o'clock of the day that it is there, once that is past: what came before it goes into the mail of that
    day. None: too early."""
    there = ZoneInfo(zone)
    eight = datetime.combine(now.astimezone(there).date(), MORNING, there)
    return eight if now >= eight else None
