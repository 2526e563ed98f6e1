"""Notify a user, in the transaction of the cause: in the list of the bell, and by mail where they want one at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.clock import utcnow
from core.database import notify_browsers
from core.live import LiveKind
from core.notifications.repositories.mails import MailRepository
from core.notifications.repositories.notifications import NotificationRepository
from core.notifications.rules import DEFAULTS, MAILED_KINDS, MailKind, MailTiming, MailTopic, NotificationKind
from core.notifications.tables.mails import Mail
from core.service import InTransaction
from core.users.repositories.users import UserRepository
from core.users.tables.users import User


@dataclass(frozen=True)
class About:
    """What a notification links to."""

    post_id: UUID | None = None
    assistant_id: UUID | None = None
    account_id: UUID | None = None


def article_params(is_one: bool) -> dict[str, bool]:
    """Return the parameter by which a mail speaks of an article and its website instead of a post."""
    return {"article": True} if is_one else {}


class NotifyingService(InTransaction):
    async def notify(self, user_id: UUID, kind: NotificationKind, cause: str, about: About) -> User | None:
        """Create a notification, once per cause. Return the user if a mail has to be sent now, else None."""
        notifications = NotificationRepository(self.session)
        timings, mailed = await self._mail_timings(user_id), MAILED_KINDS.get(kind)
        added = await notifications.add(
            user_id,
            kind,
            cause,
            post_id=about.post_id,
            assistant_id=about.assistant_id,
            account_id=about.account_id,
            for_digest=mailed is not None and MailTiming.daily in (timings[mailed.topic], timings[MailTopic.overview]),
        )
        if not added:
            return None
        await notify_browsers(self.session, user_id, LiveKind.notification)
        if mailed is None or timings[mailed.topic] is not MailTiming.at_once:
            return None
        return await UserRepository(self.session).get(user_id)

    async def wants_mail_now(self, user_id: UUID, kind: NotificationKind) -> User | None:
        """Return the user if they want mails of this kind at once, else None."""
        if (await self._mail_timings(user_id))[MAILED_KINDS[kind].topic] is not MailTiming.at_once:
            return None
        return await UserRepository(self.session).get(user_id)

    async def resolve(self, user_id: UUID, about: About, *kinds: NotificationKind) -> bool:
        """Mark matching notifications as read. Return whether any were unread."""
        read = await NotificationRepository(self.session).mark_read_about(
            user_id,
            kinds,
            utcnow(),
            post_id=about.post_id,
            assistant_id=about.assistant_id,
            account_id=about.account_id,
        )
        if read:
            await notify_browsers(self.session, user_id, LiveKind.notification)
        return bool(read)

    async def reopen(self, user_id: UUID, about: About, kind: NotificationKind) -> None:
        """Mark the latest matching notification as unread, because its resolution was undone. No mail is sent."""
        notification = await NotificationRepository(self.session).reopen(
            user_id, kind, post_id=about.post_id, assistant_id=about.assistant_id, account_id=about.account_id
        )
        if notification:
            await notify_browsers(self.session, user_id, LiveKind.notification)

    async def mark_email_refused(self, user_id: UUID, email: str, cause: str) -> None:
        """Notify the user that the mail server refuses their address, and stop notifying it by mail."""
        if await UserRepository(self.session).mark_email_refused(user_id, email, utcnow()):
            await self.notify(user_id, NotificationKind.email_refused, cause, About())
            await notify_browsers(self.session, user_id, LiveKind.user, user_id)

    async def clear_email_refused(self, user_id: UUID, email: str | None = None) -> None:
        """Resume mails: one was delivered to the address, or it is to be tried again."""
        if await UserRepository(self.session).clear_email_refused(user_id, email):
            await self.resolve(user_id, About(), NotificationKind.email_refused)
            await notify_browsers(self.session, user_id, LiveKind.user, user_id)

    async def enqueue_mail(
        self, user: User, kind: MailKind, params: Mapping[str, Any], sealed: str | None = None
    ) -> None:
        """Insert a mail; its workflow sends it after the commit."""
        await MailRepository(self.session).add(
            Mail(
                user_id=user.id,
                kind=kind,
                to_email=user.email,
                language=user.language,
                params=dict(params),
                secret_encrypted=sealed,
            )
        )

    async def _mail_timings(self, user_id: UUID) -> Mapping[MailTopic, MailTiming]:
        return {**DEFAULTS, **await NotificationRepository(self.session).list_timings(user_id)}
