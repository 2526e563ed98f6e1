from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.approvals.rules import ApprovalState, AtDeadline
from core.ids import new_id
from core.tables import Base, Timestamped, status_enum


class Approval(Timestamped, Base):
    """A request to approve exactly this content of a post, and the answer."""

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
    """Set until the reminder is sent."""
    decided_at: Mapped[datetime | None]
    by_deadline: Mapped[bool] = mapped_column(default=False)
    """Nobody answered, so the deadline has decided."""
    remark: Mapped[str] = mapped_column(Text, default="")
    """Why it was declined, or what to change in the text."""
    at_once: Mapped[bool] = mapped_column(default=False)
    """The post was requested by hand: after the approval it is published at once, unless a person has set its time
    since (`Post.pinned`)."""
    rewrite_error: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode: why the requested rewrite failed."""

    @property
    def sets_time(self) -> bool:
        """Whether the post's planned time only carries this deadline, unless a person has set it (`Post.pinned`)."""
        return self.at_once and self.state is not ApprovalState.approved

    @property
    def kept(self) -> bool:
        """Whether nobody answered in time and the post was kept for a later decision."""
        return self.state is ApprovalState.expired and self.at_deadline is AtDeadline.hold
