from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from core.domain.ids import new_id
from core.models.base import Base, Timestamped


class Media(Timestamped, Base):
    """One stored image; the same bytes are stored once per user."""

    __tablename__ = "media"
    __table_args__ = (UniqueConstraint("user_id", "sha256"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    sha256: Mapped[str] = mapped_column(String(64))
    storage_key: Mapped[str] = mapped_column(String(255))
    mime: Mapped[str] = mapped_column(String(64))
    width: Mapped[int]
    height: Mapped[int]
    bytes: Mapped[int] = mapped_column(BigInteger)
    made_by: Mapped[str] = mapped_column(String(100), default="")
