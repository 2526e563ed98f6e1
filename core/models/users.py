from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from core.domain.ids import new_id
from core.models.base import Base, Timestamped, status_enum, utcnow


class User(Timestamped, Base):
    __tablename__ = "users"
    __table_args__ = (Index("uq_users_email_lower", text("lower(email)"), unique=True),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    email: Mapped[str] = mapped_column(String(254))
    password_hash: Mapped[str] = mapped_column(String(255))
    is_email_verified: Mapped[bool] = mapped_column(default=False)
    display_name: Mapped[str] = mapped_column(String(100), default="")
    language: Mapped[str] = mapped_column(String(2), default="en")
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    consented_at: Mapped[datetime | None]
    """When the privacy policy was accepted."""


class AccessToken(Base):
    """A signed-in device. Only the token's hash is stored."""

    __tablename__ = "access_tokens"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    device: Mapped[str] = mapped_column(String(200), default="")
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    last_used_at: Mapped[datetime] = mapped_column(default=utcnow)
    expires_at: Mapped[datetime]


class LinkPurpose(StrEnum):
    sign_in = "sign_in"


class MailLink(Base):
    """A link that acts for its user until it expires. Only the token's hash is stored."""

    __tablename__ = "mail_links"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    purpose: Mapped[LinkPurpose] = mapped_column(status_enum(LinkPurpose))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    expires_at: Mapped[datetime]


class Invitation(Timestamped, Base):
    """A code that lets one person sign up. `user_id` is who made it; None: the operator."""

    __tablename__ = "invitations"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    code_encrypted: Mapped[str] = mapped_column(String(255))
    """So that its maker can copy it again."""
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
    accepted_by: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
