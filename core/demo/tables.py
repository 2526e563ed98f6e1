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
    """Notes that a user has demo data, complete or not."""

    __tablename__ = "demo_data"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    complete: Mapped[bool] = mapped_column(default=False)
    busy_until: Mapped[datetime | None]
    """End of the creation's lease, until which nothing else creates or removes it. Past: the creation died."""


class DemoItem(Base):
    """Notes one object of demo data, in the transaction that creates it. `item_id` is no foreign key, since users can
    delete the object."""

    __tablename__ = "demo_items"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("demo_data.user_id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[DemoItemKind] = mapped_column(status_enum(DemoItemKind), primary_key=True)
    item_id: Mapped[UUID] = mapped_column(primary_key=True)
    as_made: Mapped[str] = mapped_column(String(64))
    """Version or fingerprint at the creation: a difference means that the user changed the object."""
