from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from core.articles.rules.announcements import AnnouncementState
from core.ids import new_id
from core.tables import Base, Timestamped, status_enum


class Announcement(Timestamped, Base):
    """An article to be announced automatically. Written with the receipt of its publication, once per article."""

    __tablename__ = "announcements"
    __table_args__ = (
        Index("ix_announcements_due", "due_at", postgresql_where=text("state IN ('waiting', 'writing')")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    article_id: Mapped[UUID] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), unique=True)
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="SET NULL"), index=True)
    publishes: Mapped[bool]
    """If false, the social post stays a draft for a person."""
    state: Mapped[AnnouncementState] = mapped_column(status_enum(AnnouncementState), default=AnnouncementState.waiting)
    due_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    post_id: Mapped[UUID] = mapped_column(default=new_id)
    """The social post's id, chosen in advance so that a repeated step creates the same post."""
    error_code: Mapped[str | None] = mapped_column(String(64))
