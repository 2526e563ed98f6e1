"""Answering a question about a post by the link of its mail, without a sign-in. Looking decides nothing: programs that
look for harm in mails open every link."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.questions import ApprovingService
from core.approvals.repositories.approval_links import ApprovalLinkRepository, Linked
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
    """What a link is still good for."""

    open = "open"
    approved = "approved"
    declined = "declined"
    expired = "expired"
    """Nobody has answered in time."""
    outdated = "outdated"
    """The post is another one by now, or is about to be."""
    withdrawn = "withdrawn"
    """Nobody is asked any more."""


@dataclass(frozen=True)
class LinkSeen:
    state: LinkState
    decided_at: datetime | None
    by_deadline: bool
    topic_title: str
    """Empty where the post is another one by now."""
    at_deadline: AtDeadline
    at_once: bool
    """Approved, it goes out then and not as planned."""
    post: Post | None = None
    """As it is asked about; only while the link is open."""
    assistant_name: str | None = None
    website: str | None = None
    """Of an article: the name of its site, unless that was removed."""


@dataclass(frozen=True)
class ApprovalLinkService:
    sessions: Sessions
    approving: ApprovingService

    async def look(self, post_id: UUID, token: str) -> LinkSeen:
        """What the link shows now. Raises Denied (link_invalid)."""
        async with self.sessions() as session:
            linked = await _linked(session, post_id, token)
            state = link_state(linked.approval, linked.post, await database_now(session))
            approval, post = linked.approval, linked.post
            # an old mail tells of nothing that it was not sent for
            about = post.topic_title if approval.content_hash == post.content_hash else ""
            at_once = approval.at_once and not post.pinned
            if state is not LinkState.open:
                decided = approval.decided_at, approval.by_deadline
                return LinkSeen(state, *decided, about, approval.at_deadline, at_once)
            post, name = await PostRepository(session).get(linked.post.user_id, post_id)
            website = await WebsiteRepository(session).name_for(post)
            return LinkSeen(state, None, False, about, approval.at_deadline, at_once, post, name, website)

    async def decide(self, post_id: UUID, token: str, *, approved: bool, remark: str) -> tuple[PostChange, str]:
        """As its owner decides about exactly what the link shows; with the hash of that. Raises Denied (link_invalid),
        and what `ApprovingService.decide` raises."""
        async with self.sessions() as session:
            linked = await _linked(session, post_id, token)
            user_id, content_hash, link_id = linked.post.user_id, linked.approval.content_hash, linked.link.id
        changed = await self.approving.decide(
            user_id, post_id, approved=approved, content_hash=content_hash, remark=remark, link_id=link_id
        )
        return changed, content_hash


async def _linked(session: AsyncSession, post_id: UUID, token: str) -> Linked:
    found = await ApprovalLinkRepository(session).of_anybody(token_hash(token), post_id)
    if found is None:
        raise Denied(ErrorCode.link_invalid)
    return found


_ANSWERED = {ApprovalState.approved: LinkState.approved, ApprovalState.declined: LinkState.declined}


def link_state(approval: Approval, post: Post, now: datetime) -> LinkState:
    if approval.state in _ANSWERED:
        return _ANSWERED[approval.state]
    if approval.content_hash != post.content_hash or approval.state is ApprovalState.rewritten:
        return LinkState.outdated
    if approval.state is ApprovalState.withdrawn or post.status is not PostStatus.draft:
        return LinkState.withdrawn
    if approval.state is ApprovalState.expired or now >= approval.deadline_at:
        return LinkState.expired
    return LinkState.open
