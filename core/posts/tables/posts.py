from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from core.approvals.tables.approvals import Approval
from core.deliveries.tables.deliveries import IN_DISPLAY_ORDER, Delivery
from core.ids import new_id
from core.languages import Language
from core.media.tables import Media
from core.posts.rules.posts import PostSource, PostStatus
from core.tables import Base, Timestamped, status_enum


class Post(Timestamped, Base):
    __tablename__ = "posts"
    # the order of the list: its first page is the start of the index
    __table_args__ = (
        Index("ix_posts_listed", "user_id", text("planned_at DESC NULLS LAST"), text("id DESC")),
        Index("ix_posts_soonest", "user_id", "planned_at", "id"),
        Index("ix_posts_made", "user_id", text("created_at DESC"), text("id DESC")),
        Index("ix_posts_changed", "user_id", text("updated_at DESC"), text("id DESC")),
        # counts per status by an index-only scan
        Index("ix_posts_counted", "user_id", "status", postgresql_where=text("deleted_at IS NULL AND article IS NULL")),
        # few posts are articles: their list starts with these only
        Index(
            "ix_posts_articles",
            "user_id",
            text("planned_at DESC NULLS LAST"),
            text("id DESC"),
            postgresql_where=text("deleted_at IS NULL AND article IS NOT NULL"),
        ),
        Index("ix_posts_deleted", "deleted_at", postgresql_where=text("deleted_at IS NOT NULL")),
        # the assistant's newest posts, which a new one is compared with
        Index("ix_posts_newest", "assistant_id", text("created_at DESC"), text("id DESC")),
        Index("ix_posts_announcing", "announces_id", postgresql_where=text("announces_id IS NOT NULL")),
        Index("ix_posts_scheduled", "planned_at", "id", postgresql_where=text("status = 'complete'")),
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
    """Published below the post where the network supports it."""
    topic_title: Mapped[str] = mapped_column(String(200), default="")
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    written_by: Mapped[str] = mapped_column(String(100), default="")
    """Model or writer, so that texts of the demo writer are labelled wherever they are shown."""
    planned_at: Mapped[datetime | None]
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    acknowledged_at: Mapped[datetime | None]
    """When a person has seen its failure, so that it needs no attention any more."""
    pinned: Mapped[bool] = mapped_column(default=False)
    """A person has set its time, so no newer run replaces it."""
    account_ids: Mapped[list[str]] = mapped_column(default=list)
    """The accounts chosen by a person; empty where its run has them."""
    variants: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Texts for single accounts or channels: each a `core.posts.rules.posts.Variant` as JSON."""
    review: Mapped[list[dict[str, Any]]] = mapped_column(default=list, server_default=text("'[]'::jsonb"))
    """What the second look found: each a `core.texts.rules.review.ReviewNote` as JSON."""
    written: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """`content` and `variants` as a model's texts were first saved, to be compared with what a person made of them.
    None: nobody but a person wrote the post."""
    tags: Mapped[list[str]] = mapped_column(default=list)
    article: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.articles.rules.articles.ArticleFields` as JSON: the post is an article with a text in Markdown. None: a
    social post."""
    link: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.networks.rules.links.Link` as JSON."""
    announces_id: Mapped[UUID | None] = mapped_column(ForeignKey("posts.id", ondelete="SET NULL"))
    """The article that the post announces."""
    at_site: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """Of a published article that was changed since: its published state, a `core.articles.drafts.PublishedVersion` as
    JSON."""
    pending_deletion: Mapped[bool] = mapped_column("leaves", default=False)
    """It is deleted once the networks that were asked to delete it have done so."""
    deleted_at: Mapped[datetime | None]
    """Set while it is deleted but can be restored."""
    version: Mapped[int] = mapped_column(default=1)
    told_version: Mapped[int] = mapped_column(default=1)
    """The latest version that its workflow knows."""
    files: Mapped[list["PostFile"]] = relationship(lazy="raise", order_by="PostFile.position")
    deliveries: Mapped[list[Delivery]] = relationship(lazy="raise", order_by=IN_DISPLAY_ORDER)
    approvals: Mapped[list[Approval]] = relationship(lazy="raise", viewonly=True)

    @property
    def is_article(self) -> bool:
        return self.article is not None

    @property
    def has_edited_text(self) -> bool:
        """Whether a person has changed the texts that a model wrote. False where those are not kept, as of an
        article."""
        return self.written is not None and self.written != {"content": self.content, "variants": self.variants}

    @property
    def approval(self) -> Approval | None:
        """The approval of its current content."""
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
    title: Mapped[str] = mapped_column(String(200), default="")
    """Of a document or a video, as readers see it."""
    cover_id: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"), index=True)
    """The image that is shown before a video plays; None: the network chooses a frame."""
    media: Mapped[Media] = relationship(foreign_keys=[media_id], lazy="raise")
    cover: Mapped[Media | None] = relationship(foreign_keys=[cover_id], lazy="raise")
