from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.installation.rules import KeyUse
from core.tables import Base, status_enum


class SecretKeyUse(Base):
    """A key of SECRET_KEY that this database needs, by its fingerprint."""

    __tablename__ = "secret_key_uses"
    use: Mapped[KeyUse] = mapped_column(status_enum(KeyUse), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=utcnow)


class KnownDatabase(Base):
    """A database that this installation runs on, or has run on. A copy of its rows elsewhere has another identity."""

    __tablename__ = "known_databases"
    identity: Mapped[str] = mapped_column(String(64), primary_key=True)
    may_start: Mapped[bool]
    """False while `postloom restored` is under way."""
    restored_at: Mapped[datetime | None]
    """When it was last restored from a backup."""
    backup_from: Mapped[datetime | None]
    """The time of that backup."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
