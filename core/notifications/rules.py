"""Kinds of notifications and mails, how each kind is mailed, and when the daily overview is due."""

from collections.abc import Mapping
from dataclasses import dataclass
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


class MailKind(StrEnum):
    """What a mail says. The first mail of a notification has the name of the notification's kind; `MailedKind.mails`
    lists all of them."""

    verify_email = "verify_email"
    change_email = "change_email"
    email_changed = "email_changed"
    reset_password = "reset_password"
    password_changed = "password_changed"
    invitation = "invitation"
    approval_needed = "approval_needed"
    approval_reminder = "approval_reminder"
    budget_reached = "budget_reached"
    budget_unpriced = "budget_unpriced"
    account_expires = "account_expires"
    account_reconnect = "account_reconnect"
    assistant_paused_itself = "assistant_paused_itself"
    post_failed = "post_failed"
    run_failed = "run_failed"
    """The run failed before there was a post."""
    removal_failed = "removal_failed"
    update_failed = "update_failed"
    takedown_failed = "takedown_failed"
    comment_failed = "comment_failed"
    announcement_ready = "announcement_ready"
    announcement_failed = "announcement_failed"
    planning_failed = "planning_failed"
    post_unknown = "post_unknown"
    trial_ending = "trial_ending"
    payment_failed = "payment_failed"
    subscription_ended = "subscription_ended"
    allowance_reached = "allowance_reached"
    daily_overview = "daily_overview"


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


class MailAbout(StrEnum):
    """What a mail is about: this decides its link, its facts and its footer."""

    approval = "approval"
    post = "post"
    article = "article"
    run = "run"
    assistant = "assistant"
    budget = "budget"
    """An assistant's budget."""
    account = "account"
    """A connected account or website."""
    subscription = "subscription"
    user = "user"
    """The user's email address or password."""
    invitation = "invitation"
    overview = "overview"


@dataclass(frozen=True)
class MailedKind:
    """How a kind of notification is mailed."""

    topic: MailTopic
    about: MailAbout
    list_path: str
    """The page to which the daily overview leads."""
    article_list_path: str | None = None
    """The page for articles and websites, if the overview counts them separately."""
    mails: tuple[MailKind, ...] = ()
    """Empty: the kind is only counted in the daily overview."""
    has_article_text: bool = False
    """The mail's text differs for an article or a website."""


MAILED_KINDS: Final[Mapping[NotificationKind, MailedKind]] = {
    NotificationKind.approval_needed: MailedKind(
        MailTopic.approval,
        MailAbout.approval,
        "/social-media-posts?tab=approvals",
        "/social-media-posts?tab=approvals",
        mails=(MailKind.approval_needed, MailKind.approval_reminder),
    ),
    NotificationKind.post_failed: MailedKind(
        MailTopic.failed,
        MailAbout.post,
        "/social-media-posts?status=failed",
        "/posts?status=failed",
        mails=(MailKind.post_failed,),
        has_article_text=True,
    ),
    NotificationKind.post_waits: MailedKind(
        MailTopic.failed, MailAbout.post, "/social-media-posts?state=held", "/posts?state=held"
    ),
    NotificationKind.run_failed: MailedKind(
        MailTopic.failed, MailAbout.run, "/assistants", mails=(MailKind.run_failed,), has_article_text=True
    ),
    NotificationKind.post_unknown: MailedKind(
        MailTopic.unknown,
        MailAbout.post,
        "/social-media-posts?state=unknown",
        "/posts?state=unknown",
        mails=(MailKind.post_unknown,),
        has_article_text=True,
    ),
    NotificationKind.account_expires: MailedKind(
        MailTopic.reconnect, MailAbout.account, "/account", mails=(MailKind.account_expires,)
    ),
    NotificationKind.account_reconnect: MailedKind(
        MailTopic.reconnect,
        MailAbout.account,
        "/account",
        "/websites",
        mails=(MailKind.account_reconnect,),
        has_article_text=True,
    ),
    NotificationKind.removal_failed: MailedKind(
        MailTopic.failed,
        MailAbout.post,
        "/social-media-posts?state=not_deleted",
        "/posts?state=not_deleted",
        mails=(MailKind.removal_failed,),
        has_article_text=True,
    ),
    NotificationKind.update_failed: MailedKind(
        MailTopic.failed, MailAbout.article, "/posts?state=not_updated", mails=(MailKind.update_failed,)
    ),
    NotificationKind.takedown_failed: MailedKind(
        MailTopic.failed, MailAbout.article, "/posts?state=not_deleted", mails=(MailKind.takedown_failed,)
    ),
    NotificationKind.comment_failed: MailedKind(
        MailTopic.failed, MailAbout.post, "/social-media-posts?waiting=yes", mails=(MailKind.comment_failed,)
    ),
    NotificationKind.announcement_ready: MailedKind(
        MailTopic.approval, MailAbout.post, "/social-media-posts?status=draft", mails=(MailKind.announcement_ready,)
    ),
    NotificationKind.announcement_failed: MailedKind(
        MailTopic.failed, MailAbout.post, "/posts", mails=(MailKind.announcement_failed,)
    ),
    NotificationKind.assistant_paused_itself: MailedKind(
        MailTopic.self_paused, MailAbout.assistant, "/assistants", mails=(MailKind.assistant_paused_itself,)
    ),
    NotificationKind.planning_failed: MailedKind(
        MailTopic.failed, MailAbout.assistant, "/assistants", mails=(MailKind.planning_failed,)
    ),
    NotificationKind.budget_reached: MailedKind(
        MailTopic.budget,
        MailAbout.budget,
        "/assistants",
        mails=(MailKind.budget_reached, MailKind.budget_unpriced),
    ),
    NotificationKind.trial_ending: MailedKind(
        MailTopic.subscription, MailAbout.subscription, "/subscription", mails=(MailKind.trial_ending,)
    ),
    NotificationKind.payment_failed: MailedKind(
        MailTopic.subscription, MailAbout.subscription, "/subscription", mails=(MailKind.payment_failed,)
    ),
    NotificationKind.subscription_ended: MailedKind(
        MailTopic.subscription, MailAbout.subscription, "/subscription", mails=(MailKind.subscription_ended,)
    ),
    NotificationKind.allowance_reached: MailedKind(
        MailTopic.subscription, MailAbout.subscription, "/subscription", mails=(MailKind.allowance_reached,)
    ),
}
"""In the order of the daily overview. Other kinds are only shown by the bell."""


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
    time_zone = ZoneInfo(zone)
    eight = datetime.combine(now.astimezone(time_zone).date(), MORNING, time_zone)
    return eight if now >= eight else None
