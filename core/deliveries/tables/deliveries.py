from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, case, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import CommentState, DeliveryState, RemovalState, RevisionState
from core.social_accounts.tables import Account
from core.tables import Base, Timestamped, open_enum, status_enum


class Delivery(Timestamped, Base):
    """One post on one channel through one connected account: the ledger of its effect on the network.

    `attempt` is the attempt that prepares the call. `called_at` is the fence: set right before the publishing call,
    cleared only by proof that the call had no effect. While it is set, no other attempt may call.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("post_id", "account_id"),
        Index("ix_deliveries_removal_due", "removal_due_at", postgresql_where=text("removal = 'waiting'")),
        Index("ix_deliveries_revision_due", "revision_due_at", postgresql_where=text("revision = 'waiting'")),
        Index("ix_deliveries_held", "id", postgresql_where=text("state = 'held'")),
        Index("ix_deliveries_unknown", "id", postgresql_where=text("state = 'unknown'")),
        Index("ix_deliveries_comment_due", "comment_due_at", postgresql_where=text("comment = 'waiting'")),
        Index(
            "ix_deliveries_in_hand",
            "worker_id",
            postgresql_where=text("worker_id IS NOT NULL AND state IN ('pending', 'publishing', 'retrying', 'held')"),
        ),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    post_id: Mapped[UUID] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"))
    account_id: Mapped[UUID] = mapped_column(ForeignKey("accounts.id"), index=True)
    channel: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    state: Mapped[DeliveryState] = mapped_column(status_enum(DeliveryState), default=DeliveryState.pending)
    content_hash: Mapped[str] = mapped_column(String(64))
    """Hash of the post's content when it was assigned to accounts; approvals refer to it."""
    own_hash: Mapped[str | None] = mapped_column(String(64))
    """Hash of what this account publishes (`core.posts.fitting.own_hash`). None for rows older than this column."""
    content: Mapped[str | None] = mapped_column(Text)
    """This account's own text. None: the post's text."""
    opened_in_version: Mapped[int] = mapped_column(default=0)
    """The version of the post at which a person sent the delivery, after its run or without one: a workflow that only
    followed an older version leaves it open. 0: it belongs to its run."""
    staged_refs: Mapped[list[str]] = mapped_column(default=list)
    """Provider ids of the uploaded images, in order."""
    staged_hash: Mapped[str | None] = mapped_column(String(64))
    """The `own_hash` that the staged content belongs to."""
    staged_ready_at: Mapped[datetime | None]
    attempt: Mapped[UUID | None]
    worker_id: Mapped[UUID | None]
    """The worker process that stages or publishes it; another takes over at once if that process dies."""
    attempts: Mapped[int] = mapped_column(default=0)
    failures: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Failed attempts in order: attempt (0 while staging), code (an ErrorCode), at; closed: from before it was sent
    again."""
    called_at: Mapped[datetime | None]
    doubted_hash: Mapped[str | None] = mapped_column(String(64))
    """The `own_hash` of an earlier call without proof of its outcome. A network that refuses the same content as a
    duplicate names the post that this call made."""
    doubted_at: Mapped[datetime | None]
    """When the first call with that content was made."""
    provider_id: Mapped[str | None] = mapped_column(Text)
    permalink: Mapped[str | None] = mapped_column(Text)
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_detail: Mapped[str | None] = mapped_column(Text)
    held_until: Mapped[datetime | None]
    """End of the latest hold. Until then it may still go out, later than others."""
    retry_at: Mapped[datetime | None]
    """Start of the next attempt or look-up, while it is retrying or held for its network."""
    settled_at: Mapped[datetime | None]
    """When its outcome became known. For a post that a person found at the network: when it was sent."""
    decided_at: Mapped[datetime | None]
    """When a person decided the outcome because the network could not tell."""
    removal: Mapped[RemovalState | None] = mapped_column(status_enum(RemovalState))
    """Set once its removal at the network is requested."""
    removal_due_at: Mapped[datetime | None]
    """Time of the next attempt."""
    removal_attempts: Mapped[int] = mapped_column(default=0)
    removal_error_code: Mapped[str | None] = mapped_column(String(64))
    removal_error_detail: Mapped[str | None] = mapped_column(Text)
    removed_at: Mapped[datetime | None]
    was_out_at: Mapped[datetime | None]
    """When the article was published before it was taken down and reopened as a draft."""
    site_slug: Mapped[str | None] = mapped_column(Text)
    """Of an article: its slug at the site, which may differ from the requested one."""
    site_status: Mapped[str | None] = mapped_column(Text)
    """Of an article that readers cannot see: the site's own status, as last read."""
    revision: Mapped[RevisionState | None] = mapped_column(status_enum(RevisionState))
    """Set while a change of the published article is requested at the site, or could not be made there."""
    revision_due_at: Mapped[datetime | None]
    """Time of the next attempt."""
    revision_attempts: Mapped[int] = mapped_column(default=0)
    revision_called_at: Mapped[datetime | None]
    """When the site was called without an answer so far: it may show either text."""
    revision_error_code: Mapped[str | None] = mapped_column(String(64))
    revision_error_detail: Mapped[str | None] = mapped_column(Text)
    revised_at: Mapped[datetime | None]
    comment: Mapped[CommentState | None] = mapped_column(status_enum(CommentState))
    """Set by the receipt if the post has a first comment and its network supports one; None again if the app may not
    comment for the account."""
    comment_due_at: Mapped[datetime | None]
    """Time of the next attempt."""
    comment_attempts: Mapped[int] = mapped_column(default=0)
    comment_called_at: Mapped[datetime | None]
    """The comment's own fence: set before its call, cleared only by proof that the call had no effect."""
    comment_id: Mapped[str | None] = mapped_column(Text)
    comment_error_code: Mapped[str | None] = mapped_column(String(64))
    """Without a state: why the comment is left to a person."""
    comment_error_detail: Mapped[str | None] = mapped_column(Text)
    account: Mapped[Account] = relationship(lazy="raise")

    @property
    def current_hash(self) -> str:
        """Hash of what this account publishes, as it is now."""
        return self.own_hash or self.content_hash

    @property
    def is_staged(self) -> bool:
        """Whether the content is at the network, as it is now."""
        return self.staged_hash == self.current_hash and self.staged_ready_at is not None

    @property
    def comment_is_left(self) -> bool:
        """Whether the published post lacks its first comment because the operator's app may publish none."""
        is_out = self.state is DeliveryState.published and self.removal is None
        return is_out and self.comment is None and self.comment_error_code is not None


IN_DISPLAY_ORDER: Final = (case({kind: at for at, kind in enumerate(ChannelKind)}, value=Delivery.channel), Delivery.id)
"""The order in which people see the deliveries of a post."""
