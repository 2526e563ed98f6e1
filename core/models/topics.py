from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from core.domain.ids import new_id
from core.models.base import Base, Timestamped


class TopicTree(Timestamped, Base):
    __tablename__ = "topic_trees"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)


class Topic(Timestamped, Base):
    """One node. `position` numbers the whole tree in reading order, so that one sorted read yields the tree."""

    __tablename__ = "topics"
    __table_args__ = (
        Index("ix_topics_tree_id_position", "tree_id", "position"),
        CheckConstraint("weight BETWEEN 1 AND 100", name="weight_range"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    tree_id: Mapped[UUID] = mapped_column(ForeignKey("topic_trees.id", ondelete="CASCADE"))
    parent_id: Mapped[UUID | None] = mapped_column(ForeignKey("topics.id", ondelete="CASCADE"), index=True)
    position: Mapped[int]
    depth: Mapped[int]
    title: Mapped[str] = mapped_column(String(200))
    notes: Mapped[str] = mapped_column(Text, default="")
    enabled: Mapped[bool] = mapped_column(default=True)
    weight: Mapped[int] = mapped_column(default=1)
    times_used: Mapped[int] = mapped_column(default=0)
    last_used_at: Mapped[datetime | None]
