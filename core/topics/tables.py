from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from core.ai.tables.generations import Generation
from core.ids import new_id
from core.tables import Base, Timestamped


class TopicTree(Timestamped, Base):
    __tablename__ = "topic_trees"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)
    """Rises with every change of the tree or its topics."""
    renamed_version: Mapped[int] = mapped_column(default=1)
    """The version that last changed the name or the description."""


class Topic(Timestamped, Base):
    """One node. `position` numbers the whole tree in reading order, so one sorted read yields the tree, and a topic
    with its subtopics is one range. Deleted topics keep their position and parent; purging them leaves gaps in the
    numbers."""

    __tablename__ = "topics"
    __table_args__ = (
        Index("ix_topics_tree_id_position", "tree_id", "position"),
        # only deleted topics: a change of position writes every index that has the row
        Index("ix_topics_deletion_id", "deletion_id", postgresql_where=text("deletion_id IS NOT NULL")),
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
    link: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Address of the page that it is about, as a feed or a person names it."""
    enabled: Mapped[bool] = mapped_column(default=True)
    weight: Mapped[int] = mapped_column(default=1)
    times_used: Mapped[int] = mapped_column(default=0)
    last_used_at: Mapped[datetime | None]
    deletion_id: Mapped[UUID | None]
    """Set while the topic is deleted but can be restored; shared by all topics deleted with it."""
    deleted_at: Mapped[datetime | None]


class TopicSuggestion(Generation, Timestamped, Base):
    """One round of subtopics suggested by the text model, accepted one by one."""

    __tablename__ = "topic_suggestions"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    tree_id: Mapped[UUID] = mapped_column(ForeignKey("topic_trees.id", ondelete="CASCADE"), index=True)
    topic_id: Mapped[UUID] = mapped_column(ForeignKey("topics.id", ondelete="CASCADE"), index=True)
    """The parent of the suggested subtopics."""
    wanted: Mapped[int]
    language: Mapped[str] = mapped_column(String(2))
    titles: Mapped[list[str]] = mapped_column(default=list)
    decided: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """By index of the title, as text: the id of the topic it became, or null if it was dismissed."""
