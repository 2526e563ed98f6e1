"""Telling a user of what they should look at, in the transaction that makes it so: in the list behind the bell, and by
mail where they want one at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.clock import utcnow
from core.database import notify_browsers
from core.live import LiveKind
from core.notifications.repositories.mails import MailRepository
from core.notifications.repositories.notifications import NotificationRepository
from core.notifications.rules import DEFAULTS, TOPICS, MailTiming, MailTopic, NotificationKind
from core.notifications.tables.mails import Mail, MailKind
from core.service import InTransaction
from core.users.repositories.users import UserRepository
from core.users.tables.users import User


@dataclass(frozen=True)
class About:
    """The one thing that a notification leads to."""

    post_id: UUID | None = None
    assistant_id: UUID | None = None
    account_id: UUID | None = None


def of_article(is_one: bool) -> dict[str, bool]:
    """What a mail has to know to speak of an article, and of a website; of a post and its network it knows nothing
    more."""
    return {"article": True} if is_one else {}


class NotifyingService(InTransaction):
    async def tell(self, user_id: UUID, kind: NotificationKind, cause: str, about: About) -> User | None:
        """Once for each cause, however often it is called. Returns whom to write a mail now; None where there is none
        to be written: they were told, or want to hear of it otherwise."""
        notifications = NotificationRepository(self.session)
        wanted, topic = await self._wanted(user_id), TOPICS.get(kind)
        told = await notifications.add(
            user_id,
            kind,
            cause,
            post_id=about.post_id,
            assistant_id=about.assistant_id,
            account_id=about.account_id,
            for_digest=topic is not None and MailTiming.daily in (wanted[topic], wanted[MailTopic.overview]),
        )
        if not told:
            return None
        await notify_browsers(self.session, user_id, LiveKind.notification)
        if topic is None or wanted[topic] is not MailTiming.at_once:
            return None
        return await UserRepository(self.session).get(user_id)

    async def at_once(self, user_id: UUID, kind: NotificationKind) -> User | None:
        """Whom to write once more of what they were told of; None where they want no mail of their own about it."""
        if (await self._wanted(user_id))[TOPICS[kind]] is not MailTiming.at_once:
            return None
        return await UserRepository(self.session).get(user_id)

    async def over(self, user_id: UUID, about: About, *kinds: NotificationKind) -> bool:
        """It is so no more: nobody has to look at it. Whether somebody had to."""
        read = await NotificationRepository(self.session).read_of(
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

    async def again(self, user_id: UUID, about: About, kind: NotificationKind) -> None:
        """It is so once more, since who ended it has taken that back: nobody is written to about it again."""
        found = await NotificationRepository(self.session).reopen(
            user_id, kind, post_id=about.post_id, assistant_id=about.assistant_id, account_id=about.account_id
        )
        if found:
            await notify_browsers(self.session, user_id, LiveKind.notification)

    async def email_refused(self, user_id: UUID, email: str, cause: str) -> None:
        """Tell that the mail server takes nothing for the address, where it is the user's: no mail goes there that only
        tells."""
        if await UserRepository(self.session).mark_email_refused(user_id, email, utcnow()):
            await self.tell(user_id, NotificationKind.email_refused, cause, About())
            await notify_browsers(self.session, user_id, LiveKind.user, user_id)

    async def email_works(self, user_id: UUID, email: str | None = None) -> None:
        """Take that back: a mail got through to the address, or it is to be tried again."""
        if await UserRepository(self.session).clear_email_refused(user_id, email):
            await self.over(user_id, About(), NotificationKind.email_refused)
            await notify_browsers(self.session, user_id, LiveKind.user, user_id)

    async def mail(self, user: User, kind: MailKind, params: Mapping[str, Any], sealed: str | None = None) -> None:
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

    async def _wanted(self, user_id: UUID) -> Mapping[MailTopic, MailTiming]:
        return {**DEFAULTS, **await NotificationRepository(self.session).chosen(user_id)}
