"""Send mails."""

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
class MailOutcome:
    state: str
    """`sent`, `refused`, or `gone` with its user."""


@dataclass(frozen=True)
class Mailing:
    service: "MailingService"

    @activity.defn
    async def send_mail(self, ref: MailRef) -> MailOutcome:
        """Fails until the mail is sent or given up, which its row decides. Never sends a mail twice after its success
        was stored."""
        async with heartbeating():
            state = await self.service.send(ref.mail_id)
        return MailOutcome(state.value if state else "gone")
