"""Links in mails that answer an approval."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.tables.approval_links import ApprovalLink
from core.approvals.tables.approvals import Approval
from core.posts.tables.posts import Post
from core.users.tables.users import User


@dataclass(frozen=True)
class LinkedApproval:
    """A link with its approval and post."""

    link: ApprovalLink
    approval: Approval
    post: Post
    """Without related rows."""


class ApprovalLinkRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def find_by_token(self, token_hash: str, post_id: UUID) -> LinkedApproval | None:
        """Return what the token's link to this post leads to: whoever holds the token may see it. None if there is no
        such link, the post was deleted, or its user was deleted, is disabled or has changed their address."""
        rows = await self.session.execute(
            select(ApprovalLink, Approval, Post)
            .join(Approval, Approval.id == ApprovalLink.approval_id)
            .join(Post, Post.id == Approval.post_id)
            .join(User, User.id == ApprovalLink.user_id)
            .where(
                ApprovalLink.token_hash == token_hash,
                Post.id == post_id,
                Post.deleted_at.is_(None),
                User.email == ApprovalLink.email,
                User.disabled_at.is_(None),
                User.deletion_requested_at.is_(None),
            )
        )
        row = rows.one_or_none()
        return LinkedApproval(*row) if row else None

    async def has_decided(self, approval: Approval) -> bool:
        """Return whether the approval was answered by the link of a mail."""
        if approval.decided_at is None or approval.by_deadline:
            return False
        used = select(ApprovalLink.id).join(Approval, Approval.id == ApprovalLink.approval_id)
        return bool(
            await self.session.scalar(
                select(
                    used.where(
                        ApprovalLink.user_id == approval.user_id,
                        # an edit carries the answer over to the approval of the new content
                        Approval.post_id == approval.post_id,
                        ApprovalLink.used_at == approval.decided_at,
                    ).exists()
                )
            )
        )

    async def mark_used(self, user_id: UUID, link_id: UUID, now: datetime) -> None:
        await self.session.execute(
            update(ApprovalLink).where(ApprovalLink.user_id == user_id, ApprovalLink.id == link_id).values(used_at=now)
        )
