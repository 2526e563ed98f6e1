from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from core.approvals.tables.approvals import Approval
from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.languages import Language
from core.media.tables import Media
from core.posts.rules.posts import PostSource, PostStatus
from core.tables import Base, Timestamped, status_enum


class Post(Timestamped, Base):
    __tablename__ = "posts"
    # as the list is ordered: its first page is what the index begins with
    __table_args__ = (
        Index("ix_posts_listed", "user_id", text("planned_at DESC NULLS LAST"), text("id DESC")),
        Index("ix_posts_soonest", "user_id", "planned_at", "id"),
        Index("ix_posts_made", "user_id", text("created_at DESC"), text("id DESC")),
        Index("ix_posts_changed", "user_id", text("updated_at DESC"), text("id DESC")),
        # how many there are of each status, from the index alone
        Index("ix_posts_counted", "user_id", "status", postgresql_where=text("deleted_at IS NULL AND article IS NULL")),
        # articles are few among posts: their list begins with them alone
        Index(
            "ix_posts_articles",
            "user_id",
            text("planned_at DESC NULLS LAST"),
            text("id DESC"),
            postgresql_where=text("deleted_at IS NULL AND article IS NOT NULL"),
        ),
        Index("ix_posts_deleted", "deleted_at", postgresql_where=text("deleted_at IS NOT NULL")),
        # the newest of an assistant, which a new one is compared with
        Index("ix_posts_newest", "assistant_id", text("created_at DESC"), text("id DESC")),
        Index("ix_posts_announcing", "announces_id", postgresql_where=text("announces_id IS NOT NULL")),
        Index("ix_posts_behind", "updated_at", postgresql_where=text("version > told_version")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="SET NULL"))
    run_id: Mapped[UUID | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"), unique=True)
    source: Mapped[PostSource] = mapped_column(status_enum(PostSource), default=PostSource.assistant)
    status: Mapped[PostStatus] = mapped_column(status_enum(PostStatus), default=PostStatus.draft)
    content: Mapped[str] = mapped_column(Text, default="")
    content_hash: Mapped[str] = mapped_column(String(64), default="")
    first_comment: Mapped[str] = mapped_column(Text, default="")
    """Put below it where the network has that."""
    topic_title: Mapped[str] = mapped_column(String(200), default="")
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    written_by: Mapped[str] = mapped_column(String(100), default="")
    """Model or writer, so that a demo text is labelled wherever it is shown."""
    planned_at: Mapped[datetime | None]
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    acknowledged_at: Mapped[datetime | None]
    """When a person has seen that it failed: from then on it waits for nobody."""
    pinned: Mapped[bool] = mapped_column(default=False)
    """A person has said when it goes out, so no newer run takes its place."""
    account_ids: Mapped[list[str]] = mapped_column(default=list)
    """The accounts that a person chose; empty where its run says which."""
    variants: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Texts that some accounts get instead of `content`: each a `core.posts.rules.posts.Variant` as JSON."""
    tags: Mapped[list[str]] = mapped_column(default=list)
    article: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.articles.rules.articles.ArticleFields` as JSON: an article, its text in Markdown. None: a social post."""
    link: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.networks.rules.links.Link` as JSON. None: it leads nowhere."""
    announces_id: Mapped[UUID | None] = mapped_column(ForeignKey("posts.id", ondelete="SET NULL"))
    """The article that it announces."""
    at_site: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """Of an article that was changed since it went out: what it was then, a `core.articles.drafts.Kept` as JSON.
    None: the site has what is here."""
    leaves: Mapped[bool] = mapped_column(default=False)
    """It is deleted as soon as it is gone from the networks that were asked to delete it."""
    deleted_at: Mapped[datetime | None]
    """Set while it is deleted but can still be brought back."""
    version: Mapped[int] = mapped_column(default=1)
    told_version: Mapped[int] = mapped_column(default=1)
    """Up to which its workflow has heard of what a person changed."""
    files: Mapped[list["PostFile"]] = relationship(lazy="raise", order_by="PostFile.position")
    deliveries: Mapped[list[Delivery]] = relationship(lazy="raise", order_by="Delivery.id")
    approvals: Mapped[list[Approval]] = relationship(lazy="raise", viewonly=True)

    @property
    def is_article(self) -> bool:
        return self.article is not None

    @property
    def approval(self) -> Approval | None:
        """What was asked about it as it is now."""
        return next((asked for asked in self.approvals if asked.content_hash == self.content_hash), None)


class PostFile(Base):
    __tablename__ = "post_files"
    __table_args__ = (UniqueConstraint("post_id", "position"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    post_id: Mapped[UUID] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), index=True)
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="RESTRICT"), index=True)
    position: Mapped[int]
    alt: Mapped[str] = mapped_column(Text, default="")
    media: Mapped[Media] = relationship(lazy="raise")
