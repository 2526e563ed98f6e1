"""Mails to be sent, and whether what they carry is still good."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import ErrorCode
from core.notifications.tables.mails import Mail, MailState
from core.users.tables.users import Invitation, MailLink

NEW_MAIL: Final = "postloom_mails"
"""The channel of PostgreSQL on which the worker hears of new ones."""


@dataclass(frozen=True)
class PendingMail:
    id: UUID
    user_id: UUID


class MailRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(self, mail: Mail) -> None:
        """Insert it, and wake the worker once this transaction commits: the one way in which mails are sent."""
        self.session.add(mail)
        await self.session.flush()
        await self.session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": NEW_MAIL})

    async def pending(self) -> Sequence[PendingMail]:
        """All that wait, oldest first. What nobody takes is given up after a day, so they stay few."""
        rows = await self.session.execute(
            select(Mail.id, Mail.user_id).where(Mail.state == MailState.pending).order_by(Mail.created_at)
        )
        return [PendingMail(row.id, row.user_id) for row in rows]

    async def find(self, mail_id: UUID) -> Mail | None:
        """None where it went with its user."""
        found: Mail | None = await self.session.scalar(select(Mail).where(Mail.id == mail_id))
        return found

    async def link_until(self, user_id: UUID, token_hash: str, now: datetime) -> datetime | None:
        """When the link expires; None where it has, was used, or a newer one took its place."""
        found: datetime | None = await self.session.scalar(
            select(MailLink.expires_at).where(
                MailLink.user_id == user_id,
                MailLink.token_hash == token_hash,
                MailLink.used_at.is_(None),
                MailLink.expires_at > now,
            )
        )
        return found

    async def invitation_until(self, user_id: UUID, code_hash: str, now: datetime) -> datetime | None:
        """When the code expires; None where nobody can redeem it any more."""
        found: datetime | None = await self.session.scalar(
            select(Invitation.expires_at).where(
                Invitation.user_id == user_id,
                Invitation.code_hash == code_hash,
                Invitation.accepted_at.is_(None),
                Invitation.revoked_at.is_(None),
                Invitation.expires_at > now,
            )
        )
        return found

    async def note(self, user_id: UUID, mail_id: UUID, error: ErrorCode) -> None:
        """Why the last try failed; it is still to be sent."""
        await self.session.execute(
            update(Mail)
            .where(Mail.user_id == user_id, Mail.id == mail_id, Mail.state == MailState.pending)
            .values(error=error.value)
        )

    async def settle(
        self,
        user_id: UUID,
        mail_id: UUID,
        state: MailState,
        *,
        error: str | None = None,
        sent_at: datetime | None = None,
    ) -> None:
        """The end of it, once: its token or code is wiped."""
        await self.session.execute(
            update(Mail)
            .where(Mail.user_id == user_id, Mail.id == mail_id, Mail.state == MailState.pending)
            .values(state=state, error=error, sent_at=sent_at, secret_encrypted=None)
        )
