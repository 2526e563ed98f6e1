"""Mails to be sent, and the validity of their links and codes."""

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
"""The PostgreSQL channel that tells the worker of new mails."""


@dataclass(frozen=True)
class PendingMail:
    id: UUID
    user_id: UUID


class MailRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(self, mail: Mail) -> None:
        """Insert the mail, and wake the worker once this transaction commits. The only way to send a mail."""
        self.session.add(mail)
        await self.session.flush()
        await self.session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": NEW_MAIL})

    async def list_pending(self, *, after: UUID | None, limit: int) -> Sequence[PendingMail]:
        """For the reconcile: return a page of pending mails of all users, oldest first."""
        query = select(Mail.id, Mail.user_id).where(Mail.state == MailState.pending).order_by(Mail.id).limit(limit)
        if after is not None:
            query = query.where(Mail.id > after)
        return [PendingMail(row.id, row.user_id) for row in await self.session.execute(query)]

    async def find(self, mail_id: UUID) -> Mail | None:
        """Return the mail; None if it was deleted with its user."""
        found: Mail | None = await self.session.scalar(select(Mail).where(Mail.id == mail_id))
        return found

    async def link_until(self, user_id: UUID, token_hash: str, now: datetime) -> datetime | None:
        """Return when the link expires; None if it has expired, was used, or was replaced by a newer one."""
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
        """Return when the code expires; None if it cannot be redeemed any more."""
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
        """Save why the last try failed; the mail stays pending."""
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
        """Save the final state, once, and wipe the token or code."""
        await self.session.execute(
            update(Mail)
            .where(Mail.user_id == user_id, Mail.id == mail_id, Mail.state == MailState.pending)
            .values(state=state, error=error, sent_at=sent_at, secret_encrypted=None)
        )
