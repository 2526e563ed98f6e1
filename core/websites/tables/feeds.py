from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.ids import new_id
from core.tables import Base, Timestamped
from core.websites.rules.feeds import MAX_ADDRESS, MAX_AUTHOR


class Feed(Timestamped, Base):
    """A site that this installation serves itself, shown while its account has a website. Connecting it again restores
    its articles."""

    __tablename__ = "feeds"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    account_id: Mapped[UUID] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), unique=True)
    address: Mapped[str] = mapped_column(String(MAX_ADDRESS), unique=True)
    """Its part of its URLs. It never changes, because readers have subscribed to it."""
    description: Mapped[str] = mapped_column(Text, default="")
    author: Mapped[str] = mapped_column(String(MAX_AUTHOR), default="")
    indexed: Mapped[bool] = mapped_column(default=True)
    """Whether search engines may list it."""
    closed_key: Mapped[str | None] = mapped_column(String(64))
    """The hash of the revoked key, which can no longer publish."""
    changed_at: Mapped[datetime] = mapped_column(default=utcnow)
    """When anything that readers see was changed."""


class FeedAddress(Base):
    """The hash of an address that was ever taken: nobody else gets the readers of somebody who has left."""

    __tablename__ = "feed_addresses"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    taken_at: Mapped[datetime] = mapped_column(default=utcnow)


class FeedArticle(Base):
    """A published article. The row of a removed one stays without content, so that its address can say so."""

    __tablename__ = "feed_articles"
    __table_args__ = (
        Index("ux_feed_articles_slug", "feed_id", "slug", unique=True, postgresql_where=text("removed_at IS NULL")),
        Index(
            "ix_feed_articles_newest",
            "feed_id",
            text("published_at DESC"),
            text("id DESC"),
            postgresql_where=text("removed_at IS NULL"),
        ),
        Index("ix_feed_articles_at", "feed_id", "slug"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    """Chosen before publishing, so that a repeated call creates no second article."""
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    feed_id: Mapped[UUID] = mapped_column(ForeignKey("feeds.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    summary: Mapped[str] = mapped_column(Text, default="")
    html: Mapped[str] = mapped_column(Text)
    markdown: Mapped[str] = mapped_column(Text)
    tags: Mapped[list[str]] = mapped_column(default=list)
    language: Mapped[str] = mapped_column(String(2), default="")
    """Empty: the website's language."""
    seo_title: Mapped[str] = mapped_column(Text, default="")
    seo_description: Mapped[str] = mapped_column(Text, default="")
    canonical_url: Mapped[str] = mapped_column(Text, default="")
    images: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Each a `core.websites.rules.feeds.FeedImage` as JSON."""
    featured: Mapped[bool] = mapped_column(default=False)
    beginning: Mapped[str] = mapped_column(Text, default="", server_default="")
    words: Mapped[int] = mapped_column(default=0, server_default="0")
    published_at: Mapped[datetime] = mapped_column(default=utcnow)
    changed_at: Mapped[datetime] = mapped_column(default=utcnow)
    removed_at: Mapped[datetime | None]
