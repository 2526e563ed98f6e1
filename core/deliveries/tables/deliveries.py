from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import CommentState, DeliveryState, RemovalState, RevisionState
from core.social_accounts.tables import Account
from core.tables import Base, Timestamped, open_enum, status_enum


class Delivery(Timestamped, Base):
    """One post on one channel through one connected account: the ledger of its effect on the network.

    `attempt` is who prepares the call, `called_at` the fence: set right before the publishing call, cleared only by
    proof that it had no effect. While it is set nobody else may call.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("post_id", "account_id"),
        Index("ix_deliveries_removal_due", "removal_due_at", postgresql_where=text("removal = 'waiting'")),
        Index("ix_deliveries_revision_due", "revision_due_at", postgresql_where=text("revision = 'waiting'")),
        Index("ix_deliveries_held", "id", postgresql_where=text("state = 'held'")),
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
    """Its post's, as it was addressed: what an approval is given for."""
    own_hash: Mapped[str | None] = mapped_column(String(64))
    """Of what this account alone gets, `core.posts.fitting.own_hash`; None where it was addressed before there was
    one."""
    content: Mapped[str | None] = mapped_column(Text)
    """What this account gets instead of its post's text; None where that goes out as it is."""
    opened_in_version: Mapped[int] = mapped_column(default=0)
    """The version of its post at which a person let it go out, after its run or without one: a workflow that ends and
    has followed an older one leaves it open. 0: it is its run's."""
    staged_refs: Mapped[list[str]] = mapped_column(default=list)
    """Provider ids of the uploaded images, in order."""
    staged_hash: Mapped[str | None] = mapped_column(String(64))
    """The `own_hash` they were staged for."""
    staged_ready_at: Mapped[datetime | None]
    attempt: Mapped[UUID | None]
    worker_id: Mapped[UUID | None]
    """The worker process that stages or publishes it, so that another takes over at once if that process dies."""
    attempts: Mapped[int] = mapped_column(default=0)
    failures: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Its failed attempts in their order: attempt (0 while staging), code (an ErrorCode), at."""
    called_at: Mapped[datetime | None]
    doubted_hash: Mapped[str | None] = mapped_column(String(64))
    """The `own_hash` of an earlier call whose outcome nobody could prove: a network that refuses the same content as a
    repeat names what that call made."""
    doubted_at: Mapped[datetime | None]
    """When the first call with that content was made."""
    provider_id: Mapped[str | None] = mapped_column(Text)
    permalink: Mapped[str | None] = mapped_column(Text)
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_detail: Mapped[str | None] = mapped_column(Text)
    held_until: Mapped[datetime | None]
    """Of the last time that it had to wait: so long it may go out later than others."""
    retry_at: Mapped[datetime | None]
    """While it is retrying, or held for its network and not for its account: when its next attempt begins, or the
    network is asked what is there."""
    settled_at: Mapped[datetime | None]
    """When it was known how it ended; of one that a person found at the network: when it was sent."""
    decided_at: Mapped[datetime | None]
    """When a person said how it ended, which the network could not."""
    removal: Mapped[RemovalState | None] = mapped_column(status_enum(RemovalState))
    """Set once somebody wants it deleted at the network."""
    removal_due_at: Mapped[datetime | None]
    """When the network is to be asked next."""
    removal_attempts: Mapped[int] = mapped_column(default=0)
    removal_error_code: Mapped[str | None] = mapped_column(String(64))
    removal_error_detail: Mapped[str | None] = mapped_column(Text)
    removed_at: Mapped[datetime | None]
    was_out_at: Mapped[datetime | None]
    """When that went out which was taken down before this was opened anew: published it was, whatever comes of this."""
    site_slug: Mapped[str | None] = mapped_column(Text)
    """Of an article: how the site itself calls it, which may be another name than was asked for."""
    site_status: Mapped[str | None] = mapped_column(Text)
    """Of an article that readers do not see there, in the site's own word, as it was read last."""
    revision: Mapped[RevisionState | None] = mapped_column(status_enum(RevisionState))
    """Set while what was changed of it since is wanted at the site, or could not be had there."""
    revision_due_at: Mapped[datetime | None]
    """When the site is to be asked next."""
    revision_attempts: Mapped[int] = mapped_column(default=0)
    revision_called_at: Mapped[datetime | None]
    """When the site was asked whose answer is not known: until it is, the site may show either text."""
    revision_error_code: Mapped[str | None] = mapped_column(String(64))
    revision_error_detail: Mapped[str | None] = mapped_column(Text)
    revised_at: Mapped[datetime | None]
    comment: Mapped[CommentState | None] = mapped_column(status_enum(CommentState))
    """Set by the receipt, where its post has a first comment and its network takes one."""
    comment_due_at: Mapped[datetime | None]
    """When the network is to be called next for it."""
    comment_attempts: Mapped[int] = mapped_column(default=0)
    comment_called_at: Mapped[datetime | None]
    """The comment's own fence: set before its call, cleared only by proof that it had no effect."""
    comment_id: Mapped[str | None] = mapped_column(Text)
    comment_error_code: Mapped[str | None] = mapped_column(String(64))
    comment_error_detail: Mapped[str | None] = mapped_column(Text)
    account: Mapped[Account] = relationship(lazy="raise")
