"""What somebody was told of, as they look through it; how they want to be told; and the overview of the morning."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.live import LiveKind
from core.notifications.notifying import NotifyingService
from core.notifications.repositories.notifications import Named, NotificationRepository
from core.notifications.rules import DEFAULTS, KEPT, TOPICS, MailTiming, MailTopic, NotificationKind, fits, morning
from core.notifications.tables.mails import MailKind
from core.users.tables.users import User

logger = logging.getLogger(__name__)

_SWEPT_AT_ONCE: Final = 1000  # rows


@dataclass(frozen=True)
class NotificationService:
    sessions: Sessions

    async def page(self, user_id: UUID, *, unread: bool, offset: int, limit: int) -> tuple[Sequence[Named], int, int]:
        """Newest first, how many there are, and how many unread ones, counted up to MOST_COUNTED."""
        async with self.sessions() as session:
            repository = NotificationRepository(session)
            rows, total = await repository.page(user_id, unread=unread, offset=offset, limit=limit)
            return rows, total, await repository.unread(user_id)

    async def read(self, user_id: UUID, notification_id: UUID) -> None:
        """Repeated, it changes nothing. Raises NotFound."""
        async with self.sessions.begin() as session:
            repository = NotificationRepository(session)
            if await repository.read_one(user_id, notification_id, utcnow()):
                await notify_browsers(session, user_id, LiveKind.notification)
            elif not await repository.has(user_id, notification_id):
                raise NotFound(what="notification", id=str(notification_id))

    async def read_until(self, user_id: UUID, until: datetime) -> None:
        """All that came by then: what came while somebody was looking stays unread."""
        async with self.sessions.begin() as session:
            if await NotificationRepository(session).read_until(user_id, until, utcnow()):
                await notify_browsers(session, user_id, LiveKind.notification)

    async def settings(self, user_id: UUID) -> Mapping[MailTopic, MailTiming]:
        """Of every topic, in their order."""
        async with self.sessions() as session:
            chosen = await NotificationRepository(session).chosen(user_id)
        return {topic: chosen.get(topic, DEFAULTS[topic]) for topic in MailTopic}

    async def choose(self, user_id: UUID, topic: MailTopic, mail: MailTiming) -> None:
        """From now on. Raises InvalidInput for an overview at once."""
        if not fits(topic, mail):
            raise InvalidInput(errors=[FieldError("mail", ErrorCode.invalid_input)])
        async with self.sessions.begin() as session:
            repository = NotificationRepository(session)
            await repository.choose(user_id, topic, mail)
            wanted = {**DEFAULTS, **await repository.chosen(user_id)}
            if wanted[MailTopic.overview] is not MailTiming.daily:
                # what waits for the morning and is wanted otherwise by now is not told of there
                others = [kind for kind, topic in TOPICS.items() if wanted[topic] is not MailTiming.daily]
                await repository.leave_out(user_id, others)
            await notify_browsers(session, user_id, LiveKind.notification)

    async def write_digests(self) -> int:
        """One mail to each user for whom it is eight in the morning, or was today, and whom it has something to tell.
        Its row and the mail are one transaction: whatever dies, a day has one of both or none yet. Returns how many."""
        async with self.sessions() as session:
            waiting = await NotificationRepository(session).waiting_for_digest()
        written = 0
        for user, since in waiting:
            eight = morning(utcnow(), user.time_zone)
            if eight is not None and since < eight:
                written += await self._write_digest(user, eight)
        return written

    async def _write_digest(self, user: User, eight: datetime) -> bool:
        async with self.sessions.begin() as session:
            repository = NotificationRepository(session)
            if not await repository.begin_digest(user.id, eight.date()):
                return False
            counts = await repository.take_for_digest(user.id, eight)
            if not counts:  # somebody has looked at all of it
                return False
            params: dict[str, Any] = {"day": eight.date().isoformat(), "counts": {}}
            for kind in NotificationKind:
                of_articles, others = counts.get((kind, True), 0), counts.get((kind, False), 0)
                if of_articles or others:
                    params["counts"][kind.value] = of_articles + others
                if of_articles:
                    params.setdefault("articles", {})[kind.value] = of_articles
            await NotifyingService(session).mail(user, MailKind.daily_overview, params)
        return True

    async def sweep(self) -> int:
        """Remove some of what is too old; call it now and then. Returns how many rows went."""
        async with self.sessions.begin() as session:
            return await NotificationRepository(session).sweep(utcnow() - KEPT, most=_SWEPT_AT_ONCE)
