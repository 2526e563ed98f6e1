from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.domain.channels import AccountState, AccountType, ChannelKind
from core.domain.ids import new_id
from core.models.base import Base, Timestamped, open_enum, status_enum


class Account(Timestamped, Base):
    """A connected social account. Its tokens are encrypted with the key of the settings."""

    __tablename__ = "accounts"
    __table_args__ = (UniqueConstraint("user_id", "kind", "external_id"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    type: Mapped[AccountType] = mapped_column(status_enum(AccountType))
    external_id: Mapped[str] = mapped_column(String(200))
    name: Mapped[str] = mapped_column(String(200))
    picture_url: Mapped[str | None] = mapped_column(Text)
    state: Mapped[AccountState] = mapped_column(status_enum(AccountState), default=AccountState.connected)
    access_token_encrypted: Mapped[str] = mapped_column(Text)
    refresh_token_encrypted: Mapped[str | None] = mapped_column(Text)
    expires_at: Mapped[datetime | None]
    scopes: Mapped[list[str]] = mapped_column(default=list)
    last_used_at: Mapped[datetime | None]
    disconnected_at: Mapped[datetime | None]
    """Set when its user removed it: kept for the posts that name it, without its tokens."""


class ConnectAttempt(Base):
    """One way to a network's consent page and back: of one user, in one browser."""

    __tablename__ = "connect_attempts"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    state_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """Of the state and of what the browser keeps, together."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    expires_at: Mapped[datetime]
