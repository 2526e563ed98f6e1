"""A user's calendar as an iCalendar file (RFC 5545) at one secret address."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.crypto import Vault, new_token, token_hash
from core.database import Sessions
from core.errors import Denied, ErrorCode, NotFound
from core.i18n import Texts, texts_in
from core.ids import run_id, run_workflow
from core.posts.calendar import UNCUT, Calendar, CalendarService, Entries, EntryStatus, title_of
from core.posts.repositories.calendar import PlannedPost
from core.posts.repositories.calendar_feeds import CalendarFeedRepository
from core.posts.rules.posts import DeliveryState, PostStatus
from core.users.repositories.security import SecurityRepository
from core.users.security_events import record
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import User

_PAST, _AHEAD = timedelta(days=31), timedelta(days=62)
_LASTS = timedelta(minutes=15)
_READ_AGAIN = timedelta(hours=1)
# nothing happens at a skipped slot
_SHOWN = frozenset(EntryStatus) - {EntryStatus.skipped}


@dataclass(frozen=True)
class Feed:
    address: str = field(repr=False)
    created_at: datetime


@dataclass(frozen=True)
class _Event:
    uid: str
    at: datetime | date
    """A date for an event of the whole day."""
    summary: str
    path: str
    sure: bool
    """The post is published, or decided to be."""
    description: str = ""
    changed_at: datetime | None = None
    lasts: timedelta = _LASTS


async def end_feed(session: AsyncSession, user_id: UUID) -> None:
    """Remove the secret address, if there is one, in this transaction."""
    if await CalendarFeedRepository(session).remove(user_id):
        record(session, user_id, SecurityEventKind.calendar_feed_removed)


@dataclass(frozen=True)
class CalendarFeedService:
    sessions: Sessions
    calendar: CalendarService
    vault: Vault
    public_url: str

    async def made_at(self, user_id: UUID) -> datetime | None:
        """Return when the address was created; None without an address."""
        async with self.sessions() as session:
            row = await CalendarFeedRepository(session).get(user_id)
        return row.created_at if row else None

    async def show(self, user_id: UUID) -> Feed:
        """Return the address; the caller has checked the owner's password. Raises NotFound if there is none."""
        async with self.sessions.begin() as session:
            row = await CalendarFeedRepository(session).get(user_id)
            if row is None:
                raise NotFound(what="calendar_feed")
            record(session, user_id, SecurityEventKind.calendar_feed_shown)
        return Feed(self._address(self.vault.decrypt(row.token_encrypted)), row.created_at)

    async def renew(self, user_id: UUID, proven: User) -> Feed:
        """Create a new address; the previous one stops working. Raises Denied (password_wrong) if the password was
        changed since it was `proven`."""
        token, now = new_token(), utcnow()
        async with self.sessions.begin() as session:
            if (await SecurityRepository(session).locked(user_id)).password_hash != proven.password_hash:
                raise Denied(ErrorCode.password_wrong)
            await CalendarFeedRepository(session).put(user_id, token_hash(token), self.vault.encrypt(token), now)
            record(session, user_id, SecurityEventKind.calendar_feed_made)
        return Feed(self._address(token), now)

    async def remove(self, user_id: UUID) -> None:
        async with self.sessions.begin() as session:
            await end_feed(session, user_id)

    async def read(self, token: str) -> bytes:
        """Return the file: 31 days back, 62 days ahead. Days with more entries than fit say how many more. Raises
        NotFound."""
        async with self.sessions() as session:
            user = await CalendarFeedRepository(session).reader(token_hash(token))
        if user is None:
            raise NotFound(what="calendar_feed")
        now = utcnow()
        entries = Entries(now - _PAST, now + _AHEAD, _SHOWN)
        calendar = await self.calendar.entries(user.id, entries, user.time_zone, user.language, UNCUT)
        return await asyncio.to_thread(self._written, calendar, user.language, now)

    def _address(self, token: str) -> str:
        return f"{self.public_url}/api/calendar/feed/{token}.ics"

    def _written(self, calendar: Calendar, language: str, now: datetime) -> bytes:
        from icalendar import Calendar as Written  # slow to import and rarely needed
        from icalendar import Event

        texts = texts_in(language)
        file = Written()
        file.add("prodid", "-//Postloom//Calendar//EN")
        file.add("version", "2.0")
        file.add("method", "PUBLISH")
        file.add("x-wr-calname", texts.text("calendar.name"))
        file.add("refresh-interval", _READ_AGAIN, parameters={"VALUE": "DURATION"})
        file.add("x-published-ttl", "PT1H")
        for entry in _events(calendar, texts):
            event = Event()
            event.add("uid", f"{entry.uid}@postloom")
            event.add("dtstamp", now)
            event.add("dtstart", entry.at)
            event.add("dtend", entry.at + entry.lasts)
            event.add("summary", entry.summary)
            if entry.description:
                event.add("description", entry.description)
            if entry.changed_at:
                event.add("last-modified", entry.changed_at)
            event.add("url", f"{self.public_url}{entry.path}")
            event.add("status", "CONFIRMED" if entry.sure else "TENTATIVE")
            event.add("transp", "TRANSPARENT")  # does not block time in the calendar
            file.add_component(event)
        return bytes(file.to_ical())


def _events(calendar: Calendar, texts: Texts) -> Iterator[_Event]:
    """Yield the events; a slot, its run and its post have the same uid, so that they stay one event."""
    for post in calendar.posts:
        unclear = any(delivery.state is DeliveryState.unknown for delivery in post.deliveries)
        word = texts.text(f"calendar.{'unknown' if unclear else post.status}")
        yield _Event(
            _uid(post),
            post.planned_at,
            f"{word}: {title_of(post) or texts.text('calendar.untitled')}",
            f"/social-media-posts/{post.id}",
            post.status in (PostStatus.complete, PostStatus.published),
            post.assistant_name or "",
            post.updated_at,
        )
    for run in calendar.runs:
        word = texts.text(f"calendar.{'planned' if run.state is RunState.preparing else run.state}")
        yield _Event(
            f"run-{run.id}",
            run.slot,
            f"{word}: {run.topic_title or run.assistant_name}",
            f"/assistants/{run.assistant_id}?tab=runs&run={run.id}",
            sure=False,
            description=run.assistant_name,
            changed_at=run.updated_at,
        )
    for slot in calendar.planned:
        # dense schedules do not fit into a file: one event for the slots of an hour
        others = f" +{slot.others}" if slot.others else ""
        yield _Event(
            f"run-{run_id(run_workflow(slot.assistant_id, slot.slot))}",
            slot.slot,
            f"{texts.text('calendar.planned')}: {slot.assistant_name}{others}",
            f"/assistants/{slot.assistant_id}",
            sure=False,
            lasts=(slot.last or slot.slot) - slot.slot + _LASTS,
        )
    for day, count in calendar.more.items():
        yield _Event(
            f"more-{day}",
            day,
            texts.text("calendar.more", count=count),
            f"/calendar?view=day&date={day}",
            sure=False,
            lasts=timedelta(days=1),
        )


def _uid(post: PlannedPost) -> str:
    return f"run-{post.run_id}" if post.run_id else f"post-{post.id}"
