from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.tables import Base


class ApprovalLink(Base):
    """A link of a mail that shows what is asked about, and answers for its user without a sign-in. What it is good for
    its question says: the content, the deadline, and whether it was answered. Only the token's hash is stored."""

    __tablename__ = "approval_links"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    approval_id: Mapped[UUID] = mapped_column(ForeignKey("approvals.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    email: Mapped[str] = mapped_column(String(254))
    """Where it was mailed to; it is void once its user has another address."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    used_at: Mapped[datetime | None]
    """When it was answered by this link."""
