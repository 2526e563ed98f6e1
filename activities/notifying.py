"""Mails."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.notifications.mailing import MailingService


@dataclass(frozen=True)
class MailRef:
    mail_id: UUID


@dataclass(frozen=True)
class MailOver:
    state: str
    """`sent`, `refused`, or `gone` with its user."""


@dataclass(frozen=True)
class Notifying:
    service: "MailingService"

    @activity.defn
    async def send_mail(self, ref: MailRef) -> MailOver:
        """Fails until it is sent or given up, which its row decides; a mail that was sent is not sent again."""
        async with heartbeating():
            state = await self.service.send(ref.mail_id)
        return MailOver(state.value if state else "gone")
