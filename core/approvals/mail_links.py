"""Answer an approval by the link of its mail, without signing in. Opening the link decides nothing, because virus
scanners open every link of a mail."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.questions import ApprovalService
from core.approvals.repositories.approval_links import ApprovalLinkRepository, LinkedApproval
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.crypto import token_hash
from core.database import Sessions
from core.database_clock import database_now
from core.errors import Denied, ErrorCode
from core.posts.changes import PostChange
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.websites.repositories.websites import WebsiteRepository


class LinkState(StrEnum):
    """Whether a link can still be used, and if not, why."""

    open = "open"
    approved = "approved"
    declined = "declined"
    expired = "expired"
    """Nobody answered in time."""
    outdated = "outdated"
    """The post's content has changed, or is about to."""
    withdrawn = "withdrawn"
    """No answer is needed any more."""


@dataclass(frozen=True)
class LinkView:
    state: LinkState
    decided_at: datetime | None
    by_deadline: bool
    topic_title: str
    """Empty if the post's content has changed."""
    at_deadline: AtDeadline
    at_once: bool
    """After an approval the post is published at once, not at its planned time."""
    post: Post | None = None
    """The post to decide about; only while the link is open."""
    assistant_name: str | None = None
    website: str | None = None
    """Name of an article's website, unless it was removed."""


@dataclass(frozen=True)
class ApprovalLinkService:
    sessions: Sessions
    approvals: ApprovalService

    async def view(self, post_id: UUID, token: str) -> LinkView:
        """Return what the link shows now. Raises Denied (link_invalid)."""
        async with self.sessions() as session:
            linked = await _find_linked(session, post_id, token)
            state = link_state(linked.approval, linked.post, await database_now(session))
            approval, post = linked.approval, linked.post
            # an old link must not reveal newer content
            about = post.topic_title if approval.content_hash == post.content_hash else ""
            at_once = approval.at_once and not post.pinned
            if state is not LinkState.open:
                decided = approval.decided_at, approval.by_deadline
                return LinkView(state, *decided, about, approval.at_deadline, at_once)
            post, name = await PostRepository(session).get(linked.post.user_id, post_id)
            website = await WebsiteRepository(session).name_for(post)
            return LinkView(state, None, False, about, approval.at_deadline, at_once, post, name, website)

    async def decide(self, post_id: UUID, token: str, *, approved: bool, remark: str) -> tuple[PostChange, str]:
        """Decide as the owner about the content that the link shows. Return the change and the content's hash. Raises
        Denied (link_invalid), and what `ApprovalService.decide` raises."""
        async with self.sessions() as session:
            linked = await _find_linked(session, post_id, token)
            user_id, content_hash, link_id = linked.post.user_id, linked.approval.content_hash, linked.link.id
        changed = await self.approvals.decide(
            user_id, post_id, approved=approved, content_hash=content_hash, remark=remark, link_id=link_id
        )
        return changed, content_hash


async def _find_linked(session: AsyncSession, post_id: UUID, token: str) -> LinkedApproval:
    approval = await ApprovalLinkRepository(session).find_by_token(token_hash(token), post_id)
    if approval is None:
        raise Denied(ErrorCode.link_invalid)
    return approval


_DECIDED_STATES = {ApprovalState.approved: LinkState.approved, ApprovalState.declined: LinkState.declined}


def link_state(approval: Approval, post: Post, now: datetime) -> LinkState:
    if approval.state in _DECIDED_STATES:
        return _DECIDED_STATES[approval.state]
    if approval.content_hash != post.content_hash or approval.state is ApprovalState.rewritten:
        return LinkState.outdated
    if approval.state is ApprovalState.withdrawn or post.status is not PostStatus.draft:
        return LinkState.withdrawn
    if approval.state is ApprovalState.expired or now >= approval.deadline_at:
        return LinkState.expired
    return LinkState.open
