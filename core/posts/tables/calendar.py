from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.tables import Base


class CalendarFeed(Base):
    """The secret address at which anybody who knows it may read a user's calendar. One per user."""

    __tablename__ = "calendar_feeds"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    token_encrypted: Mapped[str] = mapped_column(String(255))
    """Lets the owner copy the address again."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
