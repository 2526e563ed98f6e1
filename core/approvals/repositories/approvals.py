from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Uuid, and_, cast, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.rules import UNDECIDED, ApprovalState
from core.approvals.tables.approvals import Approval
from core.assistants.tables import Assistant
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.run_lists import NO_SPENDING, RunListRepository, RunSpending, UsedTemplate
from core.runs.tables import Run
from core.templates.tables import Template, TemplateVersion
from core.websites.repositories.websites import WebsiteRepository


@dataclass(frozen=True)
class OpenApproval:
    """A post that waits for an answer, and how it was made."""

    post: Post
    assistant_name: str | None
    run: Run | None
    template: UsedTemplate | None
    """None also if the template was deleted since."""
    spent: RunSpending
    website: str | None
    """Name of an article's website, unless it was removed."""


class ApprovalRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def lock_current(self, post: Post) -> Approval | None:
        """Return the approval of the post's current content, locked."""
        return await self.session.scalar(
            select(Approval)
            .where(
                Approval.user_id == post.user_id,
                Approval.post_id == post.id,
                Approval.content_hash == post.content_hash,
            )
            .with_for_update()
        )

    async def list_open(
        self, user_id: UUID, now: datetime, *, offset: int, limit: int
    ) -> tuple[list[OpenApproval], int]:
        """Return one page of posts that can be decided about now, the next deadline first, and their total, in a fixed
        number of queries."""
        conditions = (Approval.user_id == user_id, is_open(now))
        total = await self.session.scalar(
            select(func.count()).select_from(Approval).join(Post, Post.id == Approval.post_id).where(*conditions)
        )
        if not total or total <= offset:
            return [], total or 0
        rows = await self.session.execute(
            select(Post, Assistant.name, Run, TemplateVersion.id, TemplateVersion.number, Template.id, Template.name)
            .select_from(Approval)
            .join(Post, Post.id == Approval.post_id)
            .outerjoin(Assistant, Assistant.id == Post.assistant_id)
            .outerjoin(Run, Run.id == Post.run_id)
            .outerjoin(
                TemplateVersion,
                and_(
                    TemplateVersion.id == cast(Run.stored_setup["template_version_id"].astext, Uuid),
                    TemplateVersion.user_id == user_id,
                ),
            )
            .outerjoin(Template, Template.id == TemplateVersion.template_id)
            .where(*conditions, Post.user_id == user_id)
            .order_by(Approval.deadline_at, Approval.id)
            .offset(offset)
            .limit(limit)
        )
        found_rows = list(rows.all())
        await PostRepository(self.session).load_related(user_id, [post for post, *_ in found_rows])
        spent = await RunListRepository(self.session).spending(user_id, [run.id for _, _, run, *_ in found_rows if run])
        websites = await WebsiteRepository(self.session).names_for(user_id, [post for post, *_ in found_rows])
        return [
            OpenApproval(
                post,
                name,
                run,
                UsedTemplate(template_id, version_id, template, number) if version_id else None,
                spent.get(run.id, NO_SPENDING) if run else NO_SPENDING,
                websites.get(post.id),
            )
            for post, name, run, version_id, number, template_id, template in found_rows
        ], total

    async def withdraw(self, user_id: UUID, post_id: UUID) -> None:
        """Withdraw the post's open request, also while another text is being written."""
        await self.session.execute(
            update(Approval)
            .where(Approval.user_id == user_id, Approval.post_id == post_id, Approval.state.in_(UNDECIDED))
            .values(state=ApprovalState.withdrawn, remind_at=None, decided_at=None)
        )


def is_open(now: datetime) -> ColumnElement[bool]:
    """Condition on an `Approval` and its `Post`: the current content can still be decided about."""
    return and_(
        Approval.state == ApprovalState.waiting,
        Approval.deadline_at > now,
        Approval.content_hash == Post.content_hash,
        Post.status == PostStatus.draft,
    )
