from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.tables import Base


class ApprovalLink(Base):
    """A link in a mail that shows a post and answers for its user without signing in. Its approval has the content, the
    deadline and the answer. Only the token's hash is stored."""

    __tablename__ = "approval_links"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    approval_id: Mapped[UUID] = mapped_column(ForeignKey("approvals.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    email: Mapped[str] = mapped_column(String(254))
    """The address that it was sent to; it is void once the user has another one."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    used_at: Mapped[datetime | None]
    """When it was used to answer."""
