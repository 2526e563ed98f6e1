from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.approvals.rules import ApprovalState, AtDeadline
from core.ids import new_id
from core.tables import Base, Timestamped, status_enum


class Approval(Timestamped, Base):
    """What a person was asked about a post, and their answer. It holds for exactly that content."""

    __tablename__ = "approvals"
    __table_args__ = (
        UniqueConstraint("post_id", "content_hash"),
        Index("ix_approvals_waiting", "user_id", "deadline_at", postgresql_where=text("state = 'waiting'")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    post_id: Mapped[UUID] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"))
    content_hash: Mapped[str] = mapped_column(String(64))
    state: Mapped[ApprovalState] = mapped_column(status_enum(ApprovalState), default=ApprovalState.waiting)
    at_deadline: Mapped[AtDeadline] = mapped_column(status_enum(AtDeadline))
    deadline_at: Mapped[datetime]
    remind_at: Mapped[datetime | None]
    """Until its reminder is written."""
    decided_at: Mapped[datetime | None]
    by_deadline: Mapped[bool] = mapped_column(default=False)
    """Nobody has answered, so what was set to happen then has decided."""
    remark: Mapped[str] = mapped_column(Text, default="")
    """Why it was declined, or what is to be another in its text."""
    at_once: Mapped[bool] = mapped_column(default=False)
    """Somebody has asked for the post: approved, it goes out then and not at its planned time, unless they have said a
    time since (`Post.pinned`)."""
    rewrite_error: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode: why there was no other text, for which somebody asked."""

    @property
    def kept(self) -> bool:
        """Nobody has answered in time, and it is still theirs to say what becomes of the post."""
        return self.state is ApprovalState.expired and self.at_deadline is AtDeadline.hold
