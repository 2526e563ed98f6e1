from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.feeds.rules.feeds import DEFAULT_DAILY, MAX_ADDRESS, MAX_DAILY, ItemState
from core.ids import new_id
from core.tables import Base, Timestamped, status_enum


class TopicFeed(Timestamped, Base):
    """A feed whose new items become topics under a branch of a tree."""

    __tablename__ = "topic_feeds"
    __table_args__ = (
        UniqueConstraint("tree_id", "address"),
        CheckConstraint(f"daily BETWEEN 1 AND {MAX_DAILY}", name="daily_range"),
        # only those whose workflow has to be told
        Index("ix_topic_feeds_untold", "id", postgresql_where=text("told_version < version")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    tree_id: Mapped[UUID] = mapped_column(ForeignKey("topic_trees.id", ondelete="CASCADE"))
    topic_id: Mapped[UUID] = mapped_column(ForeignKey("topics.id", ondelete="CASCADE"), index=True)
    """The branch: the parent of its topics. The tree's root in its place if `branch_purged`."""
    branch_purged: Mapped[bool] = mapped_column(default=False, server_default=text("false"))
    """The branch was deleted for good, so that nothing can be added."""
    address: Mapped[str] = mapped_column(String(MAX_ADDRESS))
    moved_to: Mapped[str | None] = mapped_column(String(MAX_ADDRESS))
    """Where its server said once that it is for good. Said twice, it becomes the address."""
    title: Mapped[str] = mapped_column(String(200), default="")
    daily: Mapped[int] = mapped_column(default=DEFAULT_DAILY)
    """Topics that it may add in 24 hours."""
    full_text: Mapped[bool] = mapped_column(default=False)
    """The notes of its topics are the main text of the item's page, where the page allows it, and not the summary."""
    active: Mapped[bool] = mapped_column(default=True)
    version: Mapped[int] = mapped_column(default=1)
    """Rises with every change of what a person sets."""
    told_version: Mapped[int] = mapped_column(default=0)
    """The version that its workflow knows."""
    etag: Mapped[str | None] = mapped_column(String(1000))
    last_modified: Mapped[str | None] = mapped_column(String(200))
    """As the server sent them; they are sent back."""
    asked_at: Mapped[datetime | None]
    """When its server was asked last."""
    answered_at: Mapped[datetime | None]
    """When it was last read without an error, changed or not."""
    shown_at: Mapped[datetime | None]
    """When it last showed its items, changed since the time before."""
    next_at: Mapped[datetime | None]
    """When it is asked again. None: at once."""
    newest_at: Mapped[datetime | None]
    """The time of its newest item."""
    pause_seconds: Mapped[int | None]
    """How often it wants to be asked, as it said last."""
    failures: Mapped[int] = mapped_column(default=0)
    """Failures since the last answer."""
    error: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode: why it adds nothing for now."""


class TopicFeedItem(Base):
    """An item that a feed has shown, kept so that it becomes one topic at most."""

    __tablename__ = "topic_feed_items"
    __table_args__ = (
        UniqueConstraint("feed_id", "own_key"),
        Index("ix_topic_feed_items_state", "feed_id", "state", "found_at"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    feed_id: Mapped[UUID] = mapped_column(ForeignKey("topic_feeds.id", ondelete="CASCADE"))
    own_key: Mapped[str] = mapped_column(String(64))
    link_key: Mapped[str | None] = mapped_column(String(64))
    title_key: Mapped[str | None] = mapped_column(String(64))
    """`core.feeds.rules.feeds.ItemKeys`."""
    state: Mapped[ItemState] = mapped_column(status_enum(ItemState))
    title: Mapped[str] = mapped_column(String(200), default="")
    link: Mapped[str] = mapped_column(String(MAX_ADDRESS), default="")
    summary: Mapped[str] = mapped_column(Text, default="")
    """Emptied once the item no longer waits; the link only if it is left out."""
    published_at: Mapped[datetime]
    """As the feed says; where it does not, when the item was found, in the feed's order."""
    found_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    """When the feed last showed it, to the day."""
    added_at: Mapped[datetime | None]
    topic_id: Mapped[UUID | None] = mapped_column(ForeignKey("topics.id", ondelete="SET NULL"), index=True)
