from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.approvals import ApprovalState
from core.models import Approval, Post


class ApprovalRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def of(self, post: Post) -> Approval | None:
        """What was asked about the post as it is now. Locked."""
        found: Approval | None = await self.session.scalar(
            select(Approval)
            .where(
                Approval.user_id == post.user_id,
                Approval.post_id == post.id,
                Approval.content_hash == post.content_hash,
            )
            .with_for_update()
        )
        return found

    async def withdraw(self, user_id: UUID, post_id: UUID) -> None:
        """Nobody is asked about the post any more."""
        await self.session.execute(
            update(Approval)
            .where(Approval.user_id == user_id, Approval.post_id == post_id, Approval.state == ApprovalState.waiting)
            .values(state=ApprovalState.withdrawn, remind_at=None)
        )
