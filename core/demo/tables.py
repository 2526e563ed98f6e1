from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.tables import Base, status_enum


class DemoItemKind(StrEnum):
    account = "account"
    template = "template"
    topic_tree = "topic_tree"
    assistant = "assistant"
    media = "media"


class DemoData(Base):
    """That a user has demo data, whole or as far as its making came."""

    __tablename__ = "demo_data"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    complete: Mapped[bool] = mapped_column(default=False)
    busy_until: Mapped[datetime | None]
    """While it is being made: until then nobody else makes or removes it. Past: whoever made it died."""


class DemoItem(Base):
    """One thing that was made as demo data: written in the transaction that it was made in. No reference to what it
    names: people delete demo things one by one, too."""

    __tablename__ = "demo_items"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("demo_data.user_id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[DemoItemKind] = mapped_column(status_enum(DemoItemKind), primary_key=True)
    item_id: Mapped[UUID] = mapped_column(primary_key=True)
    as_made: Mapped[str] = mapped_column(String(64))
    """Its version, or a fingerprint of what it was like: what differs was changed by its user."""
