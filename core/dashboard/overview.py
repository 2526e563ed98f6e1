"""The dashboard's figures: progress of the set-up, next posts, results and cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from heapq import merge
from itertools import islice
from uuid import UUID
from zoneinfo import ZoneInfo

from core.ai.rules.usage import CURRENCY
from core.assistants.configuration import schedule_from_json
from core.assistants.rules.assistants import Mode, Pause
from core.assistants.rules.occurrences import Occurrence, occurrences
from core.assistants.rules.schedules import validate
from core.assistants.tables import Assistant
from core.dashboard.repository import (
    AccountStatsRepository,
    ChannelCount,
    NextPost,
    PreparedPost,
    SkippedRun,
    Spending,
    UnplannedAssistant,
    WaitingPosts,
)
from core.database import Sessions
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState, PostStatus
from core.social_accounts.tables import Account
from core.users.repositories.users import KnownUser

DAYS = 30
NEXT = 5
_NOTHING = ChannelCount(0, 0, 0, 0)
_STATUSES = (*PostStatus, DeliveryState.unknown)
"""Keys of post counts; `unknown` replaces the status of posts with an unknown delivery."""


class SetupStep(StrEnum):
    """The steps to the first post, in order."""

    verify_email = "verify_email"
    connect_account = "connect_account"
    create_template = "create_template"
    create_topic_tree = "create_topic_tree"
    create_assistant = "create_assistant"
    activate_assistant = "activate_assistant"
    start_trial = "start_trial"
    """Only if payments with a trial are set up."""


@dataclass(frozen=True)
class Coming:
    """A slot of an active assistant."""

    assistant: Assistant
    occurrence: Occurrence
    channels: Sequence[ChannelKind]
    needs_login: bool
    """An account of the assistant needs reconnecting: until then nothing is written or published for the slot."""
    prepared: PreparedPost | None = None


@dataclass(frozen=True)
class Day:
    """A day in the user's time zone."""

    date: date
    posts: Mapping[PostStatus | DeliveryState, int]
    articles: Mapping[PostStatus | DeliveryState, int]
    """Articles among the posts."""
    spending: Spending


@dataclass(frozen=True)
class Stats:
    """Figures of social posts and articles. `posts` and `channels` contain every status and every channel. `days`
    ascend and end with today."""

    posts: Mapping[PostStatus | DeliveryState, int]
    articles: Mapping[PostStatus | DeliveryState, int]
    """Articles among the posts."""
    channels: Mapping[ChannelKind, ChannelCount]
    published_posts: int
    """Posts of `days` that are published on at least one channel."""
    published_posts_before: int
    """The same for the same number of days before `days`."""
    coming: Sequence[Coming]
    next_posts: Sequence[NextPost]
    """The next posts that are not in `coming`."""
    days: Sequence[Day]
    spending: Spending
    left_out: Sequence[SkippedRun]
    to_reconnect: Sequence[Account]
    paused: Sequence[tuple[Assistant, Pause]]
    unplanned: Sequence[UnplannedAssistant]
    approvals: int
    """Posts that can be approved or declined now."""

    @property
    def published(self) -> int:
        """Deliveries of `days` that reached their network."""
        return sum(count.published for count in self.channels.values())

    @property
    def failed(self) -> int:
        """Deliveries of `days` that finally failed."""
        return sum(count.failed for count in self.channels.values())

    @property
    def unknown(self) -> int:
        """Deliveries of `days` with an unknown outcome."""
        return sum(count.unknown for count in self.channels.values())

    @property
    def success_rate(self) -> float | None:
        """Share of published among all sent deliveries, 0 to 1, or None if none was sent. Unknown is no success."""
        sent = self.published + self.failed + self.unknown
        return self.published / sent if sent else None


@dataclass(frozen=True)
class AccountStatsService:
    sessions: Sessions
    offers_trial: bool = False
    """Whether new users can start a trial."""

    async def setup(self, user: KnownUser) -> dict[SetupStep, bool]:
        """Return for each step, in order, whether it is done: while its object exists, or for the trial, once it was
        started."""
        async with self.sessions() as session:
            existing = await AccountStatsRepository(session).made(user.id)
        steps = {
            SetupStep.verify_email: user.is_email_verified,
            SetupStep.connect_account: existing.account,
            SetupStep.create_template: existing.template,
            SetupStep.create_topic_tree: existing.topic_tree,
            SetupStep.create_assistant: existing.assistant,
            SetupStep.activate_assistant: existing.active_assistant,
        }
        return steps | {SetupStep.start_trial: existing.subscription} if self.offers_trial else steps

    async def waiting(self, user_id: UUID) -> WaitingPosts:
        async with self.sessions() as session:
            return await AccountStatsRepository(session).waiting(user_id)

    async def stats(self, user_id: UUID, time_zone: str, now: datetime) -> Stats:
        """Return the figures of the last 30 days in the time zone, including today; `now` is aware."""
        today = now.astimezone(ZoneInfo(time_zone)).date()
        first = today - timedelta(days=DAYS - 1)
        # twice the days, for comparison; one bound more than days, for the end of the last day
        bounds = day_bounds(first - timedelta(days=DAYS), 2 * DAYS, time_zone)
        since, until = bounds[DAYS], bounds[-1]
        async with self.sessions() as session:
            rows = AccountStatsRepository(session)
            posts = await rows.posts(user_id, bounds)
            channels = await rows.channels(user_id, since, until)
            spent = await rows.spending(user_id, bounds[DAYS:])
            left_out = await rows.left_out(user_id, since, until)
            to_reconnect = await rows.to_reconnect(user_id)
            unplanned, approvals = await rows.unplanned(user_id), await rows.open_approvals(user_id)
            active, passed_over = await rows.active(user_id), await rows.passed_over(user_id, now)
            coming = list(islice((slot for slot in _coming(active, now) if _key(slot) not in passed_over), NEXT))
            prepared = await rows.prepared(user_id, [_key(slot) for slot in coming])
            # twice as many, since up to `NEXT` of them may be prepared posts of `coming`
            next_posts = await rows.next_posts(user_id, now, 2 * NEXT)
        at_dates = {post.post_id for post in prepared.values()}
        totals, articles = _none(), _none()
        by_day = [(_none(), _none()) for _ in range(DAYS)]
        published = before = 0
        for status, is_live, is_article, part, number in posts:
            counted = [(totals, articles)]
            if DAYS < part <= 2 * DAYS:
                counted.append(by_day[part - DAYS - 1])
                published += number if is_live else 0
            elif 0 < part <= DAYS:
                before += number if is_live else 0
            for of_all, of_articles in counted:
                of_all[status] += number
                of_articles[status] += number if is_article else 0
        return Stats(
            posts=totals,
            articles=articles,
            channels={kind: channels.get(kind, _NOTHING) for kind in ChannelKind},
            published_posts=published,
            published_posts_before=before,
            coming=[replace(slot, prepared=prepared.get(_key(slot))) for slot in coming],
            next_posts=[post for post in next_posts if post.id not in at_dates][:NEXT],
            days=[Day(first + timedelta(days=at), *by_day[at], spent.get(at + 1) or _total(())) for at in range(DAYS)],
            spending=_total(list(spent.values())),
            left_out=left_out,
            to_reconnect=to_reconnect,
            paused=[(row, pause) for row, *_ in active if (pause := row.pause(now))],
            unplanned=unplanned,
            approvals=approvals,
        )


def day_bounds(first: date, days: int, time_zone: str) -> list[datetime]:
    """Return the start of each day and the end of the last day, in UTC; a day of a clock change has 23 or 25
    hours."""
    zone = ZoneInfo(time_zone)
    # fold=0 is the first of two midnights; for a skipped midnight, it is the instant of the clock change
    return [datetime.combine(first + timedelta(days=at), time(), zone).astimezone(UTC) for at in range(days + 1)]


def _coming(active: Sequence[tuple[Assistant, Sequence[ChannelKind], bool]], now: datetime) -> Iterator[Coming]:
    """Yield the slots of all assistants in order, computed by the function that their workflows use."""
    return merge(*(_dates(*plan, now) for plan in active), key=_slot)


def _dates(assistant: Assistant, channels: Sequence[ChannelKind], needs_login: bool, now: datetime) -> Iterator[Coming]:
    schedule, pause = schedule_from_json(assistant.schedule), assistant.pause(now)
    if schedule is None or (pause and pause.until is None):
        return
    if validate(schedule):  # skip an invalid schedule
        return
    for occurrence in occurrences(schedule, pause.until if pause and pause.until else now):
        yield Coming(assistant, occurrence, channels, needs_login and assistant.mode is not Mode.draft)


def _none() -> dict[PostStatus | DeliveryState, int]:
    return dict.fromkeys(_STATUSES, 0)


def _slot(coming: Coming) -> datetime:
    return coming.occurrence.slot


def _key(coming: Coming) -> tuple[UUID, datetime]:
    return coming.assistant.id, coming.occurrence.slot


def _total(parts: Sequence[Spending]) -> Spending:
    costs = [part.cost_micros for part in parts if part.cost_micros is not None]
    return Spending(
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=sum(part.output_tokens for part in parts),
        cost_micros=sum(costs) if costs or not parts else None,
        known=all(part.known for part in parts),
        currency=parts[0].currency if parts else CURRENCY,
    )
