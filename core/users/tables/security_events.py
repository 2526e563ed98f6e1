from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.tables import Base, status_enum


class SecurityEventKind(StrEnum):
    signed_up = "signed_up"
    signed_in = "signed_in"
    signed_out = "signed_out"
    sign_in_failed = "sign_in_failed"
    password_refused = "password_refused"
    """A signed-in device sent a wrong password for an action that requires it."""
    second_factor_failed = "second_factor_failed"
    second_factor_on = "second_factor_on"
    second_factor_off = "second_factor_off"
    recovery_code_used = "recovery_code_used"
    recovery_codes_renewed = "recovery_codes_renewed"
    password_changed = "password_changed"
    password_reset = "password_reset"
    password_reset_asked = "password_reset_asked"
    email_change_asked = "email_change_asked"
    email_changed = "email_changed"
    email_verified = "email_verified"
    api_key_made = "api_key_made"
    api_key_revoked = "api_key_revoked"
    session_ended = "session_ended"
    other_sessions_ended = "other_sessions_ended"
    invitation_made = "invitation_made"
    invitation_revoked = "invitation_revoked"
    invitation_redeemed = "invitation_redeemed"
    calendar_feed_made = "calendar_feed_made"
    """An earlier address became invalid."""
    calendar_feed_removed = "calendar_feed_removed"
    calendar_feed_shown = "calendar_feed_shown"
    data_exported = "data_exported"
    account_deletion_asked = "account_deletion_asked"
    access_refused = "access_refused"
    """A valid token was used for a call outside its scope, or for a disabled account."""


class SecurityEvent(Base):
    """A security event of an account, shown to its owner."""

    __tablename__ = "security_events"
    __table_args__ = (Index("ix_security_events_user_id_at", "user_id", "at"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[SecurityEventKind] = mapped_column(status_enum(SecurityEventKind))
    at: Mapped[datetime] = mapped_column(default=utcnow, index=True)
    address: Mapped[IPv4Address | IPv6Address | None] = mapped_column(INET)
    """None: not called over a network."""
    device: Mapped[str] = mapped_column(String(200), default="")
    """The browser's User-Agent."""
    facts: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Details such as a key's name or a reason. Never a secret or an address."""
