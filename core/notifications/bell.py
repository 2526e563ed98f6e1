"""The list of notifications, its settings, and the daily overview."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions, log_failure_of_one, notify_browsers
from core.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.live import LiveKind
from core.notifications.notifying import NotifyingService
from core.notifications.repositories.notifications import NamedNotification, NotificationRepository
from core.notifications.rules import (
    DEFAULTS,
    MAILED_KINDS,
    RETENTION,
    MailKind,
    MailTiming,
    MailTopic,
    NotificationKind,
    is_valid_timing,
    latest_morning,
)
from core.users.tables.users import User

logger = logging.getLogger(__name__)

_DELETE_LIMIT: Final = 1000  # rows
_DIGEST_PAGE: Final = 500  # users read at a time


@dataclass(frozen=True)
class NotificationService:
    sessions: Sessions

    async def list_page(
        self, user_id: UUID, *, unread: bool, offset: int, limit: int
    ) -> tuple[Sequence[NamedNotification], int, int]:
        """Return one page, newest first, their total, and the number of unread ones, counted up to MOST_COUNTED."""
        async with self.sessions() as session:
            repository = NotificationRepository(session)
            rows, total = await repository.list_page(user_id, unread=unread, offset=offset, limit=limit)
            return rows, total, await repository.count_unread(user_id)

    async def mark_read(self, user_id: UUID, notification_id: UUID) -> None:
        """Idempotent. Raises NotFound."""
        async with self.sessions.begin() as session:
            repository = NotificationRepository(session)
            if await repository.mark_one_read(user_id, notification_id, utcnow()):
                await notify_browsers(session, user_id, LiveKind.notification)
            elif not await repository.exists(user_id, notification_id):
                raise NotFound(what="notification", id=str(notification_id))

    async def mark_read_until(self, user_id: UUID, until: datetime) -> None:
        """Mark all as read that came by then; later ones stay unread."""
        async with self.sessions.begin() as session:
            if await NotificationRepository(session).mark_read_until(user_id, until, utcnow()):
                await notify_browsers(session, user_id, LiveKind.notification)

    async def settings(self, user_id: UUID) -> Mapping[MailTopic, MailTiming]:
        """Return the timing of every topic, in order."""
        async with self.sessions() as session:
            chosen = await NotificationRepository(session).list_timings(user_id)
        return {topic: chosen.get(topic, DEFAULTS[topic]) for topic in MailTopic}

    async def set_timing(self, user_id: UUID, topic: MailTopic, mail: MailTiming) -> None:
        """Raises InvalidInput for an overview at once."""
        if not is_valid_timing(topic, mail):
            raise InvalidInput(errors=[FieldError("mail", ErrorCode.invalid_input)])
        async with self.sessions.begin() as session:
            repository = NotificationRepository(session)
            await repository.set_timing(user_id, topic, mail)
            wanted = {**DEFAULTS, **await repository.list_timings(user_id)}
            if wanted[MailTopic.overview] is not MailTiming.daily:
                # exclude what has another timing by now
                others = [kind for kind, mailed in MAILED_KINDS.items() if wanted[mailed.topic] is not MailTiming.daily]
                await repository.exclude_from_digest(user_id, others)
            await notify_browsers(session, user_id, LiveKind.notification)

    async def write_digests(self) -> int:
        """Write the overview of each user for whom it is past eight in the morning and who has unread notifications.
        Its row and mail are one transaction. Return their number."""
        written, after = 0, None
        while True:
            async with self.sessions() as session:
                waiting = await NotificationRepository(session).list_digest_users(after, _DIGEST_PAGE)
            for user, since in waiting:
                with log_failure_of_one(logger, f"daily overview of user {user.id}"):
                    eight = latest_morning(utcnow(), user.time_zone)
                    if eight is not None and since < eight:
                        written += await self._write_digest(user, eight)
            if len(waiting) < _DIGEST_PAGE:
                return written
            after = waiting[-1][0].id

    async def _write_digest(self, user: User, eight: datetime) -> bool:
        async with self.sessions.begin() as session:
            repository = NotificationRepository(session)
            if not await repository.begin_digest(user.id, eight.date()):
                return False
            counts = await repository.take_digest_counts(user.id, eight)
            if not counts:  # all are read
                return False
            params: dict[str, Any] = {"day": eight.date().isoformat(), "counts": {}}
            for kind in NotificationKind:
                of_articles, others = counts.get((kind, True), 0), counts.get((kind, False), 0)
                if of_articles or others:
                    params["counts"][kind.value] = of_articles + others
                if of_articles:
                    params.setdefault("articles", {})[kind.value] = of_articles
            await NotifyingService(session).enqueue_mail(user, MailKind.daily_overview, params)
        return True

    async def delete_old(self) -> int:
        """Delete a batch of old notifications. Return the number of rows."""
        async with self.sessions.begin() as session:
            return await NotificationRepository(session).delete_old(utcnow() - RETENTION, most=_DELETE_LIMIT)
