from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.ids import new_id
from core.media.rules.media import MediaKind
from core.tables import Base, Timestamped, status_enum


class MediaSource(StrEnum):
    upload = "upload"
    ai = "ai"
    card = "card"


class Media(Timestamped, Base):
    """One stored image, document or video; the same bytes are stored once per user."""

    __tablename__ = "media"
    __table_args__ = (
        UniqueConstraint("user_id", "sha256"),
        Index("ix_media_user_id_created_at", "user_id", "created_at"),
        Index("ix_media_deleted", "deleted_at", postgresql_where=text("deleted_at IS NOT NULL")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    sha256: Mapped[str] = mapped_column(String(64))
    kind: Mapped[MediaKind] = mapped_column(status_enum(MediaKind), default=MediaKind.image)
    storage_key: Mapped[str] = mapped_column(String(255))
    mime: Mapped[str] = mapped_column(String(64))
    width: Mapped[int]
    height: Mapped[int]
    """In pixels; of a document, those of its first page at 72 per inch."""
    facts: Mapped[dict[str, Any] | None]
    """A `core.media.rules.media.DocumentFacts` or `VideoFacts` as JSON; of a document made from a carousel also
    `document`: its pages, title and language. Of a carousel's page, `page`: its place and the carousel
    (`core.media.sequences.places_of`). None for other images."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    made_by: Mapped[str] = mapped_column(String(100), default="")
    """Provider and model of a generated picture, empty for uploads."""
    source: Mapped[MediaSource] = mapped_column(status_enum(MediaSource), default=MediaSource.ai)
    by_assistant: Mapped[bool] = mapped_column(default=False)
    """An assistant's run made the picture, and the user did not make or upload the same one."""
    name: Mapped[str] = mapped_column(String(200), default="")
    alt: Mapped[str] = mapped_column(Text, default="")
    tags: Mapped[list[str]] = mapped_column(default=list)
    thumbnail_key: Mapped[str | None] = mapped_column(String(255))
    design: Mapped[dict[str, Any] | None]
    """A card's texts and settings, so that it can be edited again."""
    card_notes: Mapped[list[str]] = mapped_column(default=list)
    """Values of `core.media.rules.cards.LOSSES`: text missing on the card."""
    version: Mapped[int] = mapped_column(default=1)
    """Version of name, alt text and tags. A change names the version that it edits."""
    deleted_at: Mapped[datetime | None]
    """Set while the picture is deleted but can still be restored."""


class CardPreset(Timestamped, Base):
    """A saved look of cards: layout, ratio, brand colours, font, logo, foot."""

    __tablename__ = "card_presets"
    __table_args__ = (UniqueConstraint("user_id", "name"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    settings: Mapped[dict[str, Any]]
    """A `core.media.rules.cards.CardSettings` as JSON."""
