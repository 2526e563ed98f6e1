from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.notifications.rules import MailKind
from core.tables import Base, open_enum, status_enum


class MailState(StrEnum):
    pending = "pending"
    sent = "sent"
    refused = "refused"
    """The mail server refuses it for good, or it is of no use any more."""


class Mail(Base):
    """A mail to be sent, written in the transaction of its cause; its workflow holds only the id."""

    __tablename__ = "mails"
    __table_args__ = (Index("ix_mails_state_created_at", "state", "created_at"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    """The user who caused it: the recipient, or the one who invites."""
    kind: Mapped[MailKind] = mapped_column(open_enum(MailKind))
    to_email: Mapped[str] = mapped_column(String(254))
    language: Mapped[str] = mapped_column(String(2))
    params: Mapped[dict[str, Any]] = mapped_column(default=dict)
    secret_encrypted: Mapped[str | None] = mapped_column(String(512))
    """The link's token or the code; wiped once the mail is sent."""
    state: Mapped[MailState] = mapped_column(status_enum(MailState), default=MailState.pending)
    error: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    sent_at: Mapped[datetime | None]
