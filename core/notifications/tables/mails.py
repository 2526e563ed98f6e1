from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.tables import Base, open_enum, status_enum


class MailKind(StrEnum):
    verify_email = "verify_email"
    change_email = "change_email"
    email_changed = "email_changed"
    reset_password = "reset_password"
    password_changed = "password_changed"
    invitation = "invitation"
    approval_wanted = "approval_wanted"
    approval_reminder = "approval_reminder"
    budget_spent = "budget_spent"
    budget_unpriced = "budget_unpriced"
    account_expires = "account_expires"
    account_needs_reconnecting = "account_needs_reconnecting"
    assistant_paused = "assistant_paused"
    post_failed = "post_failed"
    run_failed = "run_failed"
    """The run failed before there was a post."""
    removal_failed = "removal_failed"
    update_failed = "update_failed"
    takedown_failed = "takedown_failed"
    comment_failed = "comment_failed"
    announcement_ready = "announcement_ready"
    announcement_failed = "announcement_failed"
    planning_failed = "planning_failed"
    post_unknown = "post_unknown"
    trial_ending = "trial_ending"
    payment_failed = "payment_failed"
    subscription_ended = "subscription_ended"
    allowance_reached = "allowance_reached"
    daily_overview = "daily_overview"


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
