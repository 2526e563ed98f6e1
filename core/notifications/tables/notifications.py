from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.notifications.rules import MailTiming, MailTopic, NotificationKind
from core.tables import Base, Timestamped, open_enum, status_enum


class Notification(Base):
    """A notification of a user, written in the transaction of its cause, with ids only."""

    __tablename__ = "notifications"
    __table_args__ = (
        UniqueConstraint("user_id", "kind", "cause"),
        Index("ix_notifications_in_order", "user_id", text("created_at DESC"), text("id DESC")),
        Index("ix_notifications_unread", "user_id", postgresql_where=text("read_at IS NULL")),
        Index("ix_notifications_for_digest", "user_id", postgresql_where=text("for_digest")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[NotificationKind] = mapped_column(open_enum(NotificationKind))
    cause: Mapped[str] = mapped_column(String(100))
    """Identifies the cause: it is notified only once."""
    post_id: Mapped[UUID | None] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), index=True)
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"), index=True)
    account_id: Mapped[UUID | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    for_digest: Mapped[bool] = mapped_column(default=False)
    """To be included in the next digest."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow, index=True)
    read_at: Mapped[datetime | None]
    """When a user saw it, or its cause was resolved."""


class NotificationSetting(Timestamped, Base):
    """A user's choice for a topic; without a row the default applies."""

    __tablename__ = "notification_settings"
    __table_args__ = (UniqueConstraint("user_id", "topic"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    topic: Mapped[MailTopic] = mapped_column(open_enum(MailTopic))
    mail: Mapped[MailTiming] = mapped_column(status_enum(MailTiming))


class Digest(Base):
    """The digest of one local day; its row makes sure that there is only one."""

    __tablename__ = "digests"
    __table_args__ = (UniqueConstraint("user_id", "day"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    day: Mapped[date]
    created_at: Mapped[datetime] = mapped_column(default=utcnow, index=True)
