from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.languages import Language
from core.tables import Base, Timestamped, status_enum


class User(Timestamped, Base):
    __tablename__ = "users"
    __table_args__ = (Index("uq_users_email_lower", text("lower(email)"), unique=True),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    email: Mapped[str] = mapped_column(String(254))
    password_hash: Mapped[str] = mapped_column(String(255))
    is_email_verified: Mapped[bool] = mapped_column(default=False)
    email_refused_at: Mapped[datetime | None]
    """Since when the mail server refuses this address: mails that only inform are skipped. None: not refused so far."""
    display_name: Mapped[str] = mapped_column(String(100), default="")
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    consented_at: Mapped[datetime | None]
    """When the privacy policy was accepted."""
    disabled_at: Mapped[datetime | None]
    """If set, every call is refused, whatever the token."""
    deletion_requested_at: Mapped[datetime | None] = mapped_column(index=True)
    """If set, the user deleted the account; the worker removes the rest, and this row last."""
    totp_secret_encrypted: Mapped[str | None] = mapped_column(String(255))
    totp_enabled_at: Mapped[datetime | None]
    """None with a secret: not confirmed by a first code yet."""
    totp_last_step: Mapped[int | None]
    """The 30-second step of the newest accepted code: none is accepted twice (RFC 6238, 5.2)."""


class RecoveryCode(Base):
    """A one-time replacement for the second factor. Only its keyed hash is stored."""

    __tablename__ = "recovery_codes"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    used_at: Mapped[datetime | None]


class TokenKind(StrEnum):
    session = "session"
    api_key = "api_key"


class Scope(StrEnum):
    read = "read"
    write = "write"
    """Includes reading."""


class AccessToken(Base):
    """A signed-in device, or a named key for scripts. Only the token's hash is stored."""

    __tablename__ = "access_tokens"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    kind: Mapped[TokenKind] = mapped_column(status_enum(TokenKind), default=TokenKind.session)
    scope: Mapped[Scope] = mapped_column(status_enum(Scope), default=Scope.write)
    name: Mapped[str] = mapped_column(String(100), default="")
    """For API keys."""
    device: Mapped[str] = mapped_column(String(200), default="")
    """For sessions: the browser's User-Agent."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    last_used_at: Mapped[datetime | None] = mapped_column(default=utcnow)
    """None: a key that was never used."""
    expires_at: Mapped[datetime | None]
    """None: an API key that is valid until it is revoked."""


class LinkPurpose(StrEnum):
    sign_in = "sign_in"
    verify_email = "verify_email"
    reset_password = "reset_password"


class MailLink(Base):
    """A mailed link that authenticates its user until it is used or expires. Only the token's hash is stored."""

    __tablename__ = "mail_links"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    purpose: Mapped[LinkPurpose] = mapped_column(status_enum(LinkPurpose))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    email: Mapped[str | None] = mapped_column(String(254))
    """The address that verify_email proves; for a change of e-mail, the new one."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class Invitation(Timestamped, Base):
    """A code with which one person can sign up. `user_id`: its creator; None: the operator."""

    __tablename__ = "invitations"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    code_encrypted: Mapped[str] = mapped_column(String(255))
    """So that its creator can copy it again."""
    email: Mapped[str | None] = mapped_column(String(254))
    """The only address that may redeem it."""
    revoked_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
    accepted_by: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
